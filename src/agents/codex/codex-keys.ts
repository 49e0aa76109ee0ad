/** Variables that hold a key for Codex: its own, and the one of the API, which `codex exec` does not look at itself. */
export const CODEX_KEYS = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;
