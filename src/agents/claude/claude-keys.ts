/** Variables that sign Claude Code in: a key of the API, a bearer token, a token of `claude setup-token`. */
export const CLAUDE_KEYS = [
	"ANTHROPIC_API_KEY",
	"ANTHROPIC_AUTH_TOKEN",
	"CLAUDE_CODE_OAUTH_TOKEN",
] as const;
