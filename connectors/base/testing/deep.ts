/** Whether this is `deno task test:deep`: properties try many more cases, and crash runs more crashes. */
export const DEEP = Deno.env.get("SIGNET_TEST_DEEP") === "1";
