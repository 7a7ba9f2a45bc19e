// What every compiled program costs before it does anything.
Deno.exit(0);
