import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import { stepWrite } from "../store/records.ts";
import { stakeholdersOf, standInsOf, tieBreakerOf } from "../workflow/tie-breaker-of.ts";
import type { Ground } from "./context.ts";

/** What the tie-breaker of a conflict is chosen with. */
export type ArbiterGround = Pick<
	Ground,
	"workflow" | "task" | "read" | "commit" | "log" | "obstacle"
>;

/** The agent that is asked about a conflict, or why nobody can be. */
export type Arbiter = { readonly name: string } | { readonly nobody: string };

/**
 * The agent that is asked about a conflict: the workflow's tie-breaker; where it names none and the default one
 * cannot be asked, the first of those that may stand in for it (`standInsOf`) and can be asked, which an event tells.
 * Nobody who has a stake in the task is asked, by the workflow or by a call that was made.
 *
 * Chosen once for a dispute and stored, so that both orders of the sides, and a process after a kill, ask the same one.
 */
export async function arbiterFor(
	context: ArbiterGround,
	{ id }: Pick<UpheldFinding, "id">,
): Promise<Arbiter> {
	const { read, log, commit } = context;
	const key = log.key<string>(`arbiter/${id}`);
	const known = await read.step(key);
	if (known !== undefined) return { name: known };
	const { name, told, seats } = await choose(context);
	if (seats.includes(name))
		return { nobody: `${name} took part in this task, so it does not decide a dispute about it` };
	await commit([stepWrite(key, name), ...told]);
	return { name };
}

async function choose(context: ArbiterGround) {
	const { workflow, log, obstacle } = context;
	const { name } = tieBreakerOf(workflow);
	const seats = await stakeholders(context);
	const why = workflow.tieBreaker === undefined ? await obstacle(name) : null;
	if (why === null) return { name, told: [], seats };
	for (const { name: fallback } of standInsOf(workflow, seats)) {
		if ((await obstacle(fallback)) !== null) continue;
		const replaced = { role: "tie_breaker", agent: name, fallback, why } as const;
		return { name: fallback, told: [log.event("agent-replaced", replaced)], seats };
	}
	// Asked all the same: its failure says what is missing, and a person decides.
	return { name, told: [], seats };
}

/** Those that the workflow gives a stake in the task, and those that were called in one by fallback or by a person. */
async function stakeholders({ workflow, task, read, log }: ArbiterGround): Promise<string[]> {
	const names = new Set(stakeholdersOf(workflow, task));
	for (let turn = 1; turn <= log.turn; turn += 1)
		for (const role of ["player", "coach", "verifier"] as const)
			for (const { agent } of await read.calls(turn, role)) names.add(agent);
	return [...names];
}
