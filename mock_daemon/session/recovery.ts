const MAX_PROJECTS = 1000;
const MAX_PROMPTS = 5;

/** The prompts of running sessions, and what the next session in the same project is shown of them. */
export class Recovery {
  readonly #prompts = new Map<string, { prompt: string; terms: string }[]>();
  readonly #digests = new Map<string, string>();

  prompt(sessionKey: string, prompt: string, terms: string): void {
    const prompts = this.#prompts.get(sessionKey) ?? [];
    prompts.push({ prompt, terms });
    this.#prompts.delete(sessionKey);
    this.#prompts.set(sessionKey, prompts);
    dropOldest(this.#prompts);
  }

  /** A session without a prompt leaves nothing. */
  end(sessionKey: string, project: string | undefined): void {
    const prompts = this.#prompts.get(sessionKey);
    this.#prompts.delete(sessionKey);
    if (prompts === undefined || project === undefined) return;
    this.#digests.delete(project);
    this.#digests.set(
      project,
      [
        "## Session End Checkpoint",
        `Project: ${project}`,
        `Duration: 0m | Total Prompts: ${prompts.length}`,
        "",
        "### Recent Prompts",
        ...prompts.slice(-MAX_PROMPTS).map(({ prompt }) => `- ${prompt.slice(0, 200)}`),
        "",
        "### Memory Activity",
        `Queries: ${prompts.map(({ terms }) => terms).join(", ")}`,
      ].join("\n"),
    );
    dropOldest(this.#digests);
  }

  forProject(project: string | undefined): string | undefined {
    return project === undefined ? undefined : this.#digests.get(project);
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.size > MAX_PROJECTS ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
