import { HOST, type Surroundings } from "../../hooks/state/paths.ts";
import type { SettingsFlags } from "../../hooks/daemon/settings.ts";
import { applyPlan, PlanRefused } from "./install/apply/apply.ts";
import { clearAgents } from "./agents/clear_agents.ts";
import { clearState } from "./install/clear_state.ts";
import { BaseConnector, type InstallResult, type UninstallResult } from "./connector.ts";
import type { Harness, InstallFlags } from "./harness.ts";
import { type InstallRequest, installRequest } from "./install/request.ts";
import { installTargets, markedTargets } from "./install/targets.ts";
import { realOs } from "./fs/os.ts";
import { planInstall } from "./install/plan/plan_install.ts";
import { planUninstall } from "./install/plan/plan_uninstall.ts";
import { type ProgramPlace, programPlace, type Running } from "./programs/program_place.ts";
import { DEFAULT_FLAGS, siteFor } from "./site/site.ts";
import { programVersion } from "./versions/program_version.ts";
import { configState, isConnected } from "./install/install_state.ts";
import { keepEdited } from "./sync/sync_once.ts";

/** Options of a connector. */
export interface ConnectorOptions extends Omit<SettingsFlags, "workspace"> {
  /** The executable that the hooks call; by default the path at which the binary installs itself. */
  readonly program?: string;
  /** Install flags that differ from the defaults. */
  readonly flags?: Partial<InstallFlags>;
  /** The environment and system; by default those of this process. */
  readonly host?: Surroundings;
}

/** This library is not a connector binary: there is nothing to copy. */
const NO_BINARY: Running = { execPath: "", standalone: false };

/** A connector for any harness descriptor. */
export class HarnessConnector extends BaseConnector {
  /** The display name of the harness. */
  readonly name: string;
  /** The harness's id, such as `pyagent`. */
  readonly harnessId: string;
  readonly #harness: Harness;
  readonly #options: ConnectorOptions;
  readonly #host: Surroundings;
  readonly #program: ProgramPlace;

  /** Creates a connector from a descriptor. */
  constructor(harness: Harness, options: ConnectorOptions = {}) {
    super();
    this.name = harness.displayName;
    this.harnessId = harness.id;
    this.#harness = harness;
    this.#options = options;
    this.#host = options.host ?? HOST;
    this.#program = options.program === undefined
      ? programPlace(harness.binary, this.#host, NO_BINARY)
      : { path: options.program };
  }

  /** Writes hooks, MCP entry, identity, skills and credentials; `basePath` is the Signet workspace. */
  async install(basePath: string): Promise<InstallResult> {
    const found = await programVersion(this.#harness, this.#host);
    const { request, settings } = this.#request({ ...this.#options, workspace: basePath }, found);
    const failed = (message: string): InstallResult => ({ success: false, message, filesWritten: [] });
    if (settings.problem) return failed(settings.problem);
    const wantedTargets = await installTargets(request);
    const { stateDir } = request;
    try {
      await keepEdited(wantedTargets.keep);
      const plan = await planInstall(realOs, {
        harness: this.harnessId,
        stateDir,
        targets: wantedTargets.targets,
      });
      const applied = await applyPlan(realOs, plan);
      await wantedTargets.stamp();
      const patched = applied.plan.changes.filter((change) =>
        change.kind === "write" && change.target === "edit"
      );
      return {
        success: true,
        message: `Connected ${this.name} to ${settings.url} as agent ${settings.agentId}`,
        filesWritten: [...applied.written, ...applied.linked],
        configsPatched: patched.map(({ path }) => path),
        warnings: [
          ...wantedTargets.warnings,
          ...applied.warnings,
          ...applied.plan.conflicts,
          ...wantedTargets.notes,
        ],
      };
    } catch (error) {
      if (error instanceof PlanRefused) return failed(error.message);
      throw error;
    }
  }

  /** Undoes the install. Undelivered events are kept. */
  async uninstall(): Promise<UninstallResult> {
    const { request } = this.#request({}, "any");
    const { stateDir } = request;
    const marks = () => markedTargets(this.#harness, this.#host, this.#program);
    const plan = await planUninstall(realOs, { harness: this.harnessId, stateDir, targets: [], marks });
    const clear = () => clearState(stateDir, { keepSpool: true });
    await clear();
    const config = await clearAgents(this.harnessId, this.#host);
    const applied = await applyPlan(realOs, plan, { clear });
    const removed = config?.kind === "removed" ? [config.path] : [];
    return { filesRemoved: [...applied.removed, ...removed], configsPatched: [...applied.written] };
  }

  /** Checks the hooks in the config, not a flag. */
  isInstalled(): boolean {
    return isConnected(configState(this.#harness, this.#site()));
  }

  /** The file that holds the hooks. */
  getConfigPath(): string {
    return this.#harness.configPath(this.#site());
  }

  #request(flags: SettingsFlags, found: InstallRequest["found"]) {
    const installFlags = { ...DEFAULT_FLAGS, ...this.#options.flags };
    return installRequest(this.#harness, this.#host, flags, this.#program, installFlags, found);
  }

  #site() {
    const flags = { ...DEFAULT_FLAGS, ...this.#options.flags };
    return siteFor(this.#harness, { host: this.#host, program: this.#program.path, flags });
  }
}
