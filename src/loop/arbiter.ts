import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { stepWrite, type Write } from "../store/records.ts";
import { standInsOf, tieBreakerOf } from "../workflow/tie-breaker-of.ts";
import type { Ground } from "./context.ts";

/** What the tie-breaker of a conflict is chosen with. */
export type ArbiterGround = Pick<
	Ground,
	"workflow" | "task" | "read" | "commit" | "log" | "obstacle"
>;

/**
 * Name of the agent that is asked about a conflict: the workflow's tie-breaker; where it names none and the default one
 * cannot be asked, the first of those that may stand in for it (`standInsOf`) and can be asked, which an event tells.
 *
 * Chosen once for a dispute and stored, so that both orders of the sides, and a process after a kill, ask the same one.
 */
export async function arbiterFor(
	context: ArbiterGround,
	{ id }: Pick<UpheldFinding, "id">,
): Promise<string> {
	const { read, log, commit } = context;
	const key = log.key<string>(`arbiter/${id}`);
	const known = await read.step(key);
	if (known !== undefined) return known;
	const { name, told } = await choose(context);
	await commit([stepWrite(key, name), ...told]);
	return name;
}

async function choose({
	workflow,
	task,
	log,
	obstacle,
}: ArbiterGround): Promise<{ readonly name: string; readonly told: readonly Write[] }> {
	const { name } = tieBreakerOf(workflow);
	const why = workflow.tieBreaker === undefined ? await obstacle(name) : null;
	if (why === null) return { name, told: [] };
	const seats = [task.player, ...(task.pair === undefined ? [] : [task.pair.challenger])];
	for (const { name: fallback } of standInsOf(workflow, seats)) {
		if ((await obstacle(fallback)) !== null) continue;
		const replaced = { role: "tie_breaker", agent: name, fallback, why } as const;
		return { name: fallback, told: [log.event("agent-replaced", replaced)] };
	}
	// Asked all the same: its failure says what is missing, and a person decides.
	return { name, told: [] };
}
