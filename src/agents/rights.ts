import { assertNever } from "../kernel/assert-never.ts";
import type { Role } from "../kernel/roles.ts";

/** `restricted`: write files, but run only commands that read. */
export type Rights = "write" | "restricted" | "read";

// The verifier writes new tests into a checkout of which nothing else is taken; a role that judges or plans only reads,
// in one that is thrown away.
export function rightsOf(role: Role): Rights {
	switch (role) {
		case "player":
			return "write";
		case "verifier":
			return "restricted";
		case "coach":
		case "evaluator":
		case "tie_breaker":
		case "planner":
			return "read";
		default:
			return assertNever(role);
	}
}
