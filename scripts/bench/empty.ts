// The start-up cost of every compiled program.
Deno.exit(0);
