import type { HandsIn } from "../agents/agent.ts";
import { survivorJson, survivorsIn } from "../formats/mutation/mutation-text.ts";
import { changesBetween, filesAt, ignoredBy, readFileAt } from "../git/changes.ts";
import type { FileChange } from "../git/file-change.ts";
import { messageWith } from "../git/message.ts";
import { commitEdits } from "../git/write-tree.ts";
import type { Json } from "../kernel/json.ts";
import { snake } from "../kernel/snake-case.ts";
import type { CallRecord } from "../store/records.ts";
import {
	authorPrompt,
	disputePrompt,
	frameworkManifests,
	frameworkOf,
	patternPaths,
	type TestPattern,
	testPathMatcher,
	testPathsOf,
} from "../verification/author-prompt.ts";
import type { LeftFile } from "../verification/suite.ts";
import type { TestDispute, VerificationRequest } from "../verification/verification.ts";
import type { CallPlace } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { playerSnapshot } from "./player-snapshot.ts";
import { keepDiffs } from "./told-judges.ts";

const MAX_PATTERN = 20_000;

export interface ShownWork {
	readonly base: string;
	readonly commit: string;
}

export async function composeAuthor(
	ground: Ground,
	request: VerificationRequest,
	shown: ShownWork,
	{ problem, workDir, handsIn }: CallPlace & { readonly problem: string | null },
): Promise<{ readonly prompt: string; readonly context: Json }> {
	const { vault, workflow } = ground;
	const paths = (await filesAt(vault, request.base)).map(({ path }) => path);
	const changed = (await changesBetween(vault, request.base, request.commit)).map(
		({ path }) => path,
	);
	const manifests = await textsAt(ground, request.base, frameworkManifests(paths));
	const framework = frameworkOf(
		[...paths, ...changed],
		manifests.map(({ text }) => text),
	);
	const patterns = await textsAt(ground, request.base, patternPaths(paths, changed));
	const testPaths = testPathsOf(workflow.verification.paths, paths);
	const diffPath = `${workDir}/diff.patch`;
	const range = { from: shown.base, to: shown.commit };
	const [diff = ""] = await keepDiffs(ground, [{ ...range, path: diffPath }]);
	const evidence = await ground.read.evidence(request.turn);
	const survivors = survivorsIn(evidence);
	const prompt = authorPrompt({
		task: { ...request.task, contextFiles: [] },
		directive: request.directive,
		diff,
		diffPath,
		framework,
		testPaths,
		takenNames: request.suites.flatMap(({ files }) => files),
		patterns,
		survivors,
		problem,
		handsIn,
	});
	const verification = {
		framework,
		test_paths: testPaths,
		patterns: patterns.map(({ path, text }) => ({ path, text })),
		survivors: survivors.map(survivorJson),
		problem,
	};
	return {
		prompt,
		context: { ...told(request, shown), diff_path: diffPath, verification },
	};
}

export async function composeDispute(
	ground: Ground,
	request: VerificationRequest,
	shown: ShownWork,
	asked: {
		readonly disputes: readonly TestDispute[];
		readonly handsIn: HandsIn;
	},
): Promise<{ readonly prompt: string; readonly context: Json }> {
	const { vault } = ground;
	const tests: TestPattern[] = [];
	for (const { commit } of request.suites) {
		const paths = (await filesAt(vault, commit)).map(({ path }) => path);
		tests.push(...(await textsAt(ground, commit, paths)));
	}
	const open = await ground.read.open();
	const disputes = asked.disputes.map((dispute) => ({
		...dispute,
		message: open.find(({ id }) => id === dispute.finding)?.issue ?? "",
	}));
	const prompt = disputePrompt({
		task: { ...request.task, contextFiles: [] },
		directive: request.directive,
		handsIn: asked.handsIn,
		tests,
		disputes,
	});
	const findings = asked.disputes.map(({ finding, test, reason, evidence }) => ({
		id: finding,
		test,
		dispute: { reason, evidence },
	}));
	return { prompt, context: { ...told(request, shown), findings } };
}

function told(request: VerificationRequest, { base, commit }: ShownWork) {
	return {
		role: "verifier",
		run: request.run,
		turn: request.turn,
		base,
		commit,
		task: { ...snake(request.task, "id", "description", "acceptanceCriteria"), context_files: [] },
		subtask: request.subtask,
		diff_path: null,
		findings: [],
		evidence: [],
		directive: request.directive,
		pair: null,
		conflict: null,
		verification: null,
	};
}

async function textsAt(
	{ vault, masker }: Pick<Ground, "vault" | "masker">,
	commit: string,
	paths: readonly string[],
): Promise<TestPattern[]> {
	const texts: TestPattern[] = [];
	for (const path of paths) {
		const content = await readFileAt(vault, commit, path);
		if (content === undefined || content.includes(0)) continue;
		texts.push({ path, text: masker.mask(content.toString("utf8")).slice(0, MAX_PATTERN) });
	}
	return texts;
}

// New plain files under test paths, and nothing else. The same call gives the same commit again.
export async function takeTests(
	{ vault, places, refs, workflow, run, task, log }: Ground,
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
): Promise<{
	readonly commit: string | null;
	readonly files: readonly string[];
	readonly left: readonly LeftFile[];
	readonly whole: string;
}> {
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
	const edits = taken.map(
		({ path, newMode: mode, newOid: oid }) => ({ kind: "put", path, mode, oid }) as const,
	);
	const { commit } = await commitEdits(vault, { of: null, edits, parents: [], message, at });
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
