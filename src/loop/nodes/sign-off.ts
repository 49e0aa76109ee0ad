import { halt, type NodeInput, type NodeResult, passed } from "../node.ts";

/** `sign_off`: tier T2, and a task with `requires_human`, wait for a person before it merges. Without HIL it was warned of at load. */
export async function signOff({
	facts: { task },
	state: { turn },
}: Pick<NodeInput, "facts" | "state">): Promise<NodeResult<"go" | "halt">> {
	const of = { task: task.id, turn };
	if (task.gate && task.gatePolicy?.riskTier === "T2")
		return { update: halt("sign_off", { kind: "signature_needed", ...of }) };
	if (!task.requiresHuman) return passed("no sign-off is asked for");
	if (!task.human) return passed("requires_human, but HIL is off");
	return { update: halt("requires_human", { kind: "word_needed", ...of }) };
}
