const INSTRUCTIONS =
	/(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|COPILOT|CONVENTIONS|SOPS?)(?:\.\w+)*\.md|copilot-instructions\.md|\.(?:cursor|windsurf|cline)rules|\.aider\.conf\.yml)$|(?:^|\/)(?:\.cursor|\.claude|\.agents|\.windsurf|\.github\/instructions)\//i;

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|org)$/i;
const HOUSE_FOLDER = /(?:^|\/)(?:docs?|sops?)\//i;

/**
 * Tells whether a file says how the house builds rather than what was asked for: a verifier that reads it shares the builder's
 * view. Of the context files of a task it is those that are prose; code is part of the work.
 *
 * @example `AGENTS.md` and `docs/style.md` are, `docs/openapi.yaml` and `README.md` are not
 */
export function isHouseRule(path: string, contextFiles: readonly string[]): boolean {
	if (INSTRUCTIONS.test(path)) return true;
	return PROSE.test(path) && (HOUSE_FOLDER.test(path) || contextFiles.includes(path));
}
