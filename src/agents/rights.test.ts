import { expect, test } from "vitest";
import { ROLES } from "../kernel/roles.ts";
import { rightsOf } from "./rights.ts";

test("only the player works freely, only the verifier writes besides it", () => {
	expect(ROLES.map((role) => [role, rightsOf(role)])).toEqual([
		["player", "write"] as const,
		["coach", "read"] as const,
		["verifier", "restricted"] as const,
		["evaluator", "read"] as const,
		["tie_breaker", "read"] as const,
		["planner", "read"] as const,
	]);
});
