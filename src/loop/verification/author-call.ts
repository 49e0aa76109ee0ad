import type { HandsIn } from "../../agents/agent.ts";
import { survivorJson, survivorsIn } from "../../evidence/mutation/mutation-text.ts";
import { changesBetween, filesAt, readFileAt } from "../../git/changes.ts";
import type { Json } from "../../kernel/json.ts";
import {
	frameworkManifests,
	frameworkOf,
	patternPaths,
	type TestPattern,
	testPathsOf,
} from "../../verification/author-context.ts";
import { authorPrompt, disputePrompt } from "../../verification/author-prompt.ts";
import type { TestDispute, VerificationRequest } from "../../verification/verification.ts";
import { keepDiff, type PromptGround } from "../coach-call.ts";
import type { CallPlace } from "../seat-request.ts";

/** Longest pattern in the context of a call, in UTF-16 code units. */
const MAX_PATTERN = 20_000;

/** The work as a verifier is shown it: commits without history. */
export interface ShownWork {
	readonly base: string;
	readonly commit: string;
}

/** Prompt and context of a call for tests: the strategy `test-verification`. */
export async function composeAuthor(
	context: PromptGround,
	request: VerificationRequest,
	shown: ShownWork,
	{ problem, workDir, handsIn }: CallPlace & { readonly problem: string | null },
): Promise<{ readonly prompt: string; readonly context: Json }> {
	const { vault, workflow } = context;
	const paths = (await filesAt(vault, request.base)).map(({ path }) => path);
	const changed = (await changesBetween(vault, request.base, request.commit)).map(
		({ path }) => path,
	);
	const manifests = await textsAt(context, request.base, frameworkManifests(paths));
	const framework = frameworkOf(
		[...paths, ...changed],
		manifests.map(({ text }) => text),
	);
	const patterns = await textsAt(context, request.base, patternPaths(paths, changed));
	const testPaths = testPathsOf(workflow.verification.paths, paths);
	const diff = await keepDiff(context, {
		from: shown.base,
		to: shown.commit,
		path: `${workDir}/diff.patch`,
	});
	const evidence = await context.read.evidence(request.turn);
	const survivors = survivorsIn(evidence);
	const prompt = authorPrompt({
		task: { ...request.task, contextFiles: [] },
		directive: request.directive,
		diff: diff.text,
		diffPath: diff.path,
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
		context: { ...told(request, shown), diff_path: diff.path, verification },
	};
}

/** Prompt and context of a question about disputed tests. */
export async function composeDispute(
	context: PromptGround,
	request: VerificationRequest,
	shown: ShownWork,
	asked: {
		readonly disputes: readonly TestDispute[];
		readonly handsIn: HandsIn;
	},
): Promise<{ readonly prompt: string; readonly context: Json }> {
	const { vault } = context;
	const tests: TestPattern[] = [];
	for (const { commit } of request.suites) {
		const paths = (await filesAt(vault, commit)).map(({ path }) => path);
		tests.push(...(await textsAt(context, commit, paths)));
	}
	const open = await context.read.open();
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

/** What every call of a verifier is told; nothing of the player, the coach or earlier turns. */
function told(request: VerificationRequest, { base, commit }: ShownWork) {
	const { description, acceptanceCriteria, id } = request.task;
	return {
		role: "verifier",
		run: request.run,
		turn: request.turn,
		base,
		commit,
		task: {
			id,
			description,
			acceptance_criteria: acceptanceCriteria,
			context_files: [],
		},
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
	{ vault, masker }: Pick<PromptGround, "vault" | "masker">,
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
