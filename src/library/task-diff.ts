import { diffText, patchText } from "../git/changes.ts";
import { readTrailers } from "../git/message.ts";
import type { Repository } from "../git/repository.ts";
import { openVault, type Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { makeTemporary } from "../process/temporary.ts";
import type { Records, RunRecord, TaskRecord } from "../store/records.ts";
import { noSuchTurn } from "./no-such-turn.ts";

const MAX_BYTES = 100_000_000;

/**
 * The diff of a task against the commit that it started on, or of one of its turns against the turn before; with `since`
 * against that turn, 0 for the start. Once the run is pruned, what is left of a merged task is its commit.
 *
 * @throws Fault `usage` for a turn that the task does not have
 */
export async function taskDiff(
	records: Records,
	repository: Repository,
	{ run, task, turn, since, forApply = false }: WantedDiff,
): Promise<string> {
	// A vault of the moment: the run's own may be pruned.
	await using directory = await makeTemporary("spar-diff-");
	try {
		const vault = await openVault(repository, directory.path);
		const record = await records.task(run.runId, task);
		const merged = (turn === undefined && run.pruned ? record?.mergedCommit : null) ?? null;
		const range =
			merged === null
				? await rangeOf(records, record, { run, task, turn, since })
				: await rangeOfMerged(vault, merged, { run, task });
		if (range === null) return "";
		const limits = { maxBytes: MAX_BYTES };
		if (forApply) return await patchText(vault, range.from, range.to, limits);
		return (await diffText(vault, range.from, range.to, limits)).text;
	} catch (error) {
		if (!run.pruned || !(error instanceof Fault) || error.code === "usage") throw error;
		throw new Fault(
			`run ${run.runId} was pruned, and git has removed the commits of ${task} since`,
			{
				code: "task-not-found",
				hint: `What happened is still told by: spar trace ${task} --run ${run.runId}`,
				cause: error,
			},
		);
	}
}

interface WantedDiff {
	readonly run: RunRecord;
	readonly task: string;
	readonly turn: number | undefined;
	readonly since?: number | undefined;
	readonly forApply?: boolean | undefined;
}

interface Range {
	readonly from: string;
	readonly to: string;
}

// Null for a task that added nothing: then the commit that it merged as is another's.
async function rangeOfMerged(
	vault: Vault,
	commit: string,
	{ run, task }: Pick<WantedDiff, "run" | "task">,
): Promise<Range | null> {
	const own = await readTrailers(vault, commit);
	return own?.run === run.runId && own.task === task ? { from: `${commit}^1`, to: commit } : null;
}

async function rangeOf(
	records: Records,
	record: TaskRecord | undefined,
	{ run, task, turn, since }: WantedDiff,
): Promise<Range | null> {
	const start = record?.startCommit ?? null;
	if (turn === undefined) {
		return start === null || record?.commit == null ? null : { from: start, to: record.commit };
	}
	const wanted = await records.turn(run.runId, task, turn);
	if (wanted === undefined) throw noSuchTurn("diff", { task, turn, turns: record?.turns ?? 0 });
	const first = since ?? turn - 1;
	if (first >= turn) {
		throw new Fault(
			`turn ${turn} of ${task} cannot be compared with turn ${first}, which is not before it`,
			{
				code: "usage",
				hint: "Name an earlier turn; 0 is the start of the task.",
			},
		);
	}
	const before = first === 0 ? undefined : await records.turn(run.runId, task, first);
	const from = before?.commit ?? start;
	return from === null ? null : { from, to: wanted.commit };
}
