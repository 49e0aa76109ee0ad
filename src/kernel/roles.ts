export const ROLES = [
	"player",
	"coach",
	"verifier",
	"evaluator",
	"tie_breaker",
	"planner",
] as const;

/** The roles of the agent protocol, as `SPAR_ROLE` spells them. */
export type Role = (typeof ROLES)[number];

export const AGENT_FAILURES = [
	"network",
	"rate_limit",
	"timeout",
	"tool_error",
	"context_limit",
	"content_policy",
	"quota_exhausted",
	"unavailable",
	"signed_out",
	"unknown",
] as const;

/**
 * The closed set of an agent's failures. `network`: its service was not reached. `unavailable`: the service answered with
 * an error of its own, such as 500 or 529. `signed_out`: the service does not know the caller.
 */
export type AgentFailure = (typeof AGENT_FAILURES)[number];
