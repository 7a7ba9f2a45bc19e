/**
 * A matcher for every tool but these: a tool that nobody here knows, or that an MCP
 * server adds, may write files, so its hook must run. It is a regular expression with
 * a lookahead, which Claude Code, Gemini CLI, Qwen Code and Copilot CLI were seen to
 * read. Copilot CLI wants it to match the whole name, hence `.*`; the others search.
 * Codex refuses a lookahead, and a hook whose matcher is refused never runs.
 */
export function exceptTools(names: readonly string[]): string {
  return `^(?!(?:${names.join("|")})$).*`;
}
