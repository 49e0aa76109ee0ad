import { listRefs } from "../../git/refs.ts";
import type { Repository } from "../../git/repository.ts";
import { Fault } from "../../kernel/fault.ts";
import { privatePrefix } from "./task-refs.ts";

/** Names of refs that the message lists. */
const MAX_NAMES = 20;

/** Whether something thrown says that the state database is gone. */
export function isLostState(error: unknown): error is Fault {
	return error instanceof Fault && error.code === "state-lost";
}

/** The end of a run whose state database went while it was worked on: what of its work still exists, by name. */
export async function lostState(
	repository: Repository,
	runId: string,
	cause: Fault,
): Promise<Fault> {
	const branches = await listRefs(repository, `refs/heads/sparring/${runId}/`).catch(() => []);
	const kept = await listRefs(repository, privatePrefix(runId)).catch(() => []);
	const names = [
		...branches.map(({ ref }) => ref.slice("refs/heads/".length)),
		...kept.map(({ ref }) => ref),
	];
	const shown = names.slice(0, MAX_NAMES).join(", ");
	const rest = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
	const left =
		names.length === 0
			? "Nothing of its work is in the repository"
			: `Still in the repository: ${shown}${rest}`;
	return new Fault(
		`the state of run ${runId} is gone, so the run ended: ${cause.message}. ${left}`,
		{
			code: "state-lost",
			hint: `Look at that work with git log, merge what you need by hand, then start again: spar run. git clean -x deletes Sparring's state too; git clean -fdx -e .sparring leaves it.`,
			cause,
		},
	);
}
