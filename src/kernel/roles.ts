/** The roles of the agent protocol, as `SPAR_ROLE` spells them. */
export type Role = "player" | "coach" | "verifier" | "evaluator" | "tie_breaker" | "planner";

export const ROLES: readonly Role[] = [
	"player",
	"coach",
	"verifier",
	"evaluator",
	"tie_breaker",
	"planner",
];

/** The closed set of an agent's failures. */
export type AgentFailure =
	| "network"
	| "rate_limit"
	| "timeout"
	| "tool_error"
	| "context_limit"
	| "content_policy"
	| "quota_exhausted"
	| "unknown";

export const AGENT_FAILURES: readonly AgentFailure[] = [
	"network",
	"rate_limit",
	"timeout",
	"tool_error",
	"context_limit",
	"content_policy",
	"quota_exhausted",
	"unknown",
];
