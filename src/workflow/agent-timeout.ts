/** Longest duration of one call of an agent that names no `timeout`, in milliseconds: 30 minutes. */
export const AGENT_TIMEOUT_MS = 1_800_000;
