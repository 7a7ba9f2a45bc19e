/** What an install did, in the words of Signet's own connectors. */
export interface InstallResult {
  /** Whether it is installed now. */
  success: boolean;
  /** What happened, in words for a person. */
  message: string;
  /** Every file that was written. */
  filesWritten: string[];
  /** Those of them that are the harness's own. */
  configsPatched?: string[];
  /** What went less than well. */
  warnings?: string[];
}

/** What an uninstall did, in the words of Signet's own connectors. */
export interface UninstallResult {
  /** Every file that is gone. */
  filesRemoved: string[];
  /** Files of the user's that lost our part. */
  configsPatched?: string[];
}

/**
 * The contract of Signet's connector-base: an upstream Signet can use a class
 * that extends this one as it is. `HarnessConnector` is the one that does.
 */
export abstract class BaseConnector {
  /** For people: `PyAgent`. */
  abstract readonly name: string;
  /** For the daemon: `pyagent`. */
  abstract readonly harnessId: string;
  /** Connects the harness, with identity from the workspace at `basePath`. Twice is once. */
  abstract install(basePath: string): Promise<InstallResult>;
  /** Takes back all that install did, and nothing else. */
  abstract uninstall(): Promise<UninstallResult>;
  /** Whether the hooks themselves stand in the harness's config. */
  abstract isInstalled(): boolean;
  /** The file that holds the hooks. */
  abstract getConfigPath(): string;
}
