import { isObject } from "../../hooks/json.ts";
import type { Edit } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { guardedCommand } from "../base/hooks_config/hook_command.ts";
import { hookEntries } from "../base/hooks_config/hook_groups.ts";

/**
 * Our items in the list of hooks. Any other key than these, such as a name, makes Kimi Code
 * ignore every hook in the file.
 */
export function hookList(kimi: Harness, site: Site): Edit[] {
  return hookEntries(kimi, site).map(({ event, at: { native, timeout }, optional, owns }) => ({
    kind: "item",
    path: ["hooks"],
    optional,
    value: { event: native, command: guardedCommand(site.host, site.argv("hook", event)), timeout },
    owns: (item) => isObject(item) && item.event === native && owns(item),
  }));
}
