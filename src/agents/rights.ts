import { assertNever } from "../kernel/assert-never.ts";
import type { Role } from "../kernel/roles.ts";

/**
 * What an agent may do in the checkout that it works in: `write` files and run any command; `restricted`: write
 * files, but run only commands that read; `read`: nothing but read.
 */
export type Rights = "write" | "restricted" | "read";

/**
 * The rights of a role. The player builds; the verifier writes new tests into a checkout of which nothing else is
 * taken; a role that judges or plans only reads, in a checkout that is thrown away.
 */
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
