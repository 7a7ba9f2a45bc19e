/** The result of an install, as Signet's connector-base defines it. */
export interface InstallResult {
  /** Whether the harness is connected now. */
  success: boolean;
  /** What happened, for the user. */
  message: string;
  /** Every file that was written. */
  filesWritten: string[];
  /** The files among them that belong to the harness. */
  configsPatched?: string[];
  /** Problems that did not stop the install. */
  warnings?: string[];
}

/** The result of an uninstall, as Signet's connector-base defines it. */
export interface UninstallResult {
  /** Every file that was removed. */
  filesRemoved: string[];
  /** User files from which our entries were removed. */
  configsPatched?: string[];
}

/**
 * The contract of Signet's connector-base: an upstream Signet can use a class
 * that extends this one directly, such as `HarnessConnector`.
 */
export abstract class BaseConnector {
  /** The display name: `PyAgent`. */
  abstract readonly name: string;
  /** The id that the daemon knows: `pyagent`. */
  abstract readonly harnessId: string;
  /** Connects the harness, with the identity from the workspace at `basePath`. Idempotent. */
  abstract install(basePath: string): Promise<InstallResult>;
  /** Undoes the install, and nothing else. */
  abstract uninstall(): Promise<UninstallResult>;
  /** Whether the harness's config has the hooks. */
  abstract isInstalled(): boolean;
  /** The file that holds the hooks. */
  abstract getConfigPath(): string;
}
