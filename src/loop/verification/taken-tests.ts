import { changesBetween, ignoredBy } from "../../git/changes.ts";
import type { FileChange } from "../../git/file-change.ts";
import { messageWith } from "../../git/message.ts";
import { commitWithFiles } from "../../git/with-files.ts";
import type { CallRecord } from "../../store/records.ts";
import type { LeftFile } from "../../verification/admission.ts";
import { testPathMatcher } from "../../verification/author-context.ts";
import type { Ground } from "../context.ts";
import { playerSnapshot } from "../player-snapshot.ts";

/** What was taken from a verifier's checkout. */
export interface TakenTests {
	/** Commit of the files alone, kept under a private ref; null where there are none. */
	readonly commit: string | null;
	readonly files: readonly string[];
	readonly left: readonly LeftFile[];
	/** Commit of everything that the call left, for a recording. */
	readonly whole: string;
}

type TakeGround = Pick<Ground, "vault" | "places" | "refs" | "workflow" | "run" | "task" | "log">;

/**
 * Takes new plain files under test paths from a verifier's checkout, and nothing else. The same call gives the same
 * commit again.
 *
 * @param from commit that the call began on
 * @param others paths that earlier tests of the task have, which would be lost on the way to the merge
 * @param reported paths that the call says it wrote
 * @throws Fault `checkout-lost` when the checkout of the call is gone
 */
export async function takeTests(
	{ vault, places, refs, workflow, run, task, log }: TakeGround,
	{ checkout, startedAt, ms, call }: CallRecord,
	{
		from,
		others,
		reported,
	}: {
		readonly from: string;
		readonly others: readonly string[];
		readonly reported: readonly string[];
	},
): Promise<TakenTests> {
	const at = Date.parse(startedAt) + ms;
	const message = messageWith(`${task.id}: a verifier's tests`, {
		run: run.runId,
		task: task.id,
		turn: log.turn,
	});
	const snapshot = await playerSnapshot(places.verifier, { parent: from, message, at }, checkout);
	const changes = await changesBetween(vault, from, snapshot.commit);
	const isTestPath = testPathMatcher(workflow.verification.paths);
	const sorted = changes.map((change) => ({
		change,
		why: others.includes(change.path) ? ("name_taken" as const) : whyLeft(change, isTestPath),
	}));
	const taken = sorted.flatMap(({ change, why }) => (why === null ? [change] : []));
	const left = sorted.flatMap(({ change: { path }, why }): LeftFile[] =>
		why === null ? [] : [{ path, why }],
	);
	const unseen = reported.filter((path) => changes.every((each) => each.path !== path));
	for (const path of await ignoredBy(vault, from, unseen)) left.push({ path, why: "ignored" });
	const found = { files: taken.map(({ path }) => path), left, whole: snapshot.commit };
	if (taken.length === 0) return { ...found, commit: null };
	const files = taken.map(({ path, newMode: mode, newOid: oid }) => ({ path, mode, oid }));
	const commit = await commitWithFiles(vault, { of: null, files, parents: [], message, at });
	await refs.keep(`verification-${log.turn}-${call}`, commit);
	return { ...found, commit };
}

function whyLeft(
	{ path, kind, newMode }: FileChange,
	isTestPath: (path: string) => boolean,
): LeftFile["why"] | null {
	if (kind !== "added") return "not_new";
	// A name that is no UTF-8 stands escaped, and cannot be written again.
	if (!/^100(?:644|755)$/.test(newMode) || /\\x[0-9a-f]{2}/.test(path)) return "no_plain_file";
	return isTestPath(path) ? null : "outside_test_paths";
}
