import { z } from "zod";

const words = z.string().regex(/^\S.*\S$/s);
const mode = z.enum(["readonly", "write", "admin"]);
const support = z.union([
  z.literal("yes"),
  z.strictObject({ partly: words }),
  z.strictObject({ no: words }),
]);

/** What connector.json has to be. */
export const CONTRACT = z.strictObject({
  tool: z.string().regex(/^signet-[a-z-]+$/),
  backend: z.literal("signet-daemon"),
  manifest_schema_version: z.literal("1.0.0"),
  connector: z.strictObject({
    label: words,
    category: words,
    categories: z.array(words).min(1),
    resources: z.array(words).min(1),
  }),
  auth: z.strictObject({
    kind: z.literal("service-key"),
    required: z.boolean(),
    service_keys: z.array(z.string().regex(/^[A-Z_]+$/)),
    interactive_setup: z.array(words).min(1),
  }),
  commands: z.array(z.strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]*(\.[a-z-]+){0,2}$/),
    summary: words,
    required_mode: mode,
    supports_json: z.boolean(),
    resource: words,
    action_class: z.enum(["read", "write", "change", "destructive"]),
    risk_tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  })).min(1),
  harnesses: z.array(z.strictObject({
    id: words,
    display_name: words,
    binary: z.string().regex(/^signet-/),
    runtime_path: z.enum(["legacy", "plugin"]),
    fidelity: z.record(z.string(), support),
    assumed: words.optional(),
    agents: z.strictObject({ working: words, idle: words, locks: words.optional() }).optional(),
  })).min(1),
});

export const PERMISSIONS = z.strictObject({ commands: z.record(z.string(), mode) });

export const HEALTH = z.strictObject({
  harness: words,
  status: z.enum(["healthy", "degraded", "needs_setup"]),
  checks: z.record(z.string(), z.boolean()),
  next_steps: z.array(words),
});

const setting = z.strictObject({ value: words.optional(), from: words.optional() });

export const CONFIG = z.strictObject({
  harness: words,
  url: setting,
  api_key: setting,
  agent_id: setting,
  workspace: setting,
  connector_id: words.optional(),
  machine_id: words.optional(),
  insecure_http: z.boolean(),
  files: z.strictObject({ credentials: words, state: words }),
  problem: words.optional(),
});
