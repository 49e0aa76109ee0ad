import { writeFile } from "node:fs/promises";
import { type TieBreaker, tieBreakPrompt } from "../conflict/tie-breaker.ts";
import type { CommitPair } from "../git/changes.ts";
import { snake } from "../kernel/snake-case.ts";
import { coachPrompt } from "../review/coach-prompt.ts";
import { coachContext, findingJson } from "../review/context.ts";
import type { VerifiedWork } from "../review/evidence-text.ts";
import type { Finding } from "../review/finding.ts";
import { judgePrompt } from "../review/judge-prompt.ts";
import { overruledFindings } from "../review/ledger.ts";
import { judgedSuspicions, unsettled } from "../review/suspicion-answers.ts";
import { taskText } from "../review/task-text.ts";
import type { CallPlace, SeatRequest, Told } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { verificationReport } from "./records/turn-verification.ts";
import { handOutput, seatInput } from "./seat-input.ts";

export interface CoachQuestion {
	/** Called when the coach's checkout is ready, once an attempt: what may be done while it works. */
	readonly meanwhile: () => void;
	readonly isUnchanged: boolean;
}

export async function toldCoach(
	ground: Ground,
	{ meanwhile, isUnchanged }: CoachQuestion,
	{ workDir, handsIn }: CallPlace,
): Promise<Told> {
	meanwhile();
	const { read, log, state, task } = ground;
	const evidence = await read.evidence(log.turn);
	const input = await seatInput(ground, { evidence, workDir });
	const { start, reviewed, commit, round } = state;
	const diffPath = `${workDir}/diff.patch`;
	const [diff = "", delta = null] = await keepDiffs(ground, [
		{ from: start, to: commit, path: diffPath },
		...(reviewed === ""
			? []
			: [{ from: reviewed, to: commit, path: `${workDir}/since-last-round.patch` }]),
	]);
	const known = await read.findings();
	const suspected = judgedSuspicions(await read.suspected(log.turn), known);
	const told = {
		// What a verifier's test found is no question for the coach: only a run closes it.
		findings: input.findings.filter(({ source }) => source !== "verification"),
		suspicions: unsettled(suspected).map(({ suspicion }) => suspicion),
		falseClaims: (await read.claims(log.turn))?.false ?? [],
		verified: await verifiedWork(ground, workDir),
		diffPath,
	};
	const prompt = coachPrompt({
		...told,
		task,
		turn: log.turn,
		round: round + 1,
		overruled: overruledFindings(known, input.subtask),
		evidence: input.evidence,
		isUnchanged,
		diff,
		delta,
		directive: input.directive,
		pair: input.pair !== null,
		handsIn,
	});
	return { prompt, context: coachContext({ ...input, ...told }) };
}

async function verifiedWork(
	{ read, log, blobs }: Ground,
	workDir: string,
): Promise<VerifiedWork | null> {
	const verification = await read.verification(log.turn);
	if (verification === null) return null;
	const { outputPath } = verification;
	const output_path = outputPath && (await handOutput(outputPath, blobs, workDir));
	return { ...verificationReport(verification), output_path };
}

export async function toldEvaluator(
	ground: Ground,
	{ judgesCriteria = false }: Pick<SeatRequest, "judgesCriteria">,
	{ workDir, handsIn }: CallPlace,
): Promise<Told> {
	const { diff, diffPath, told } = await judgedWork(ground, workDir);
	const prompt = judgePrompt({ task: ground.task, diff, diffPath, judgesCriteria, handsIn });
	return { prompt, context: { role: "evaluator", ...told } };
}

/** A dispute as the tie-breaker is asked about it. */
export type Dispute = Parameters<TieBreaker["ask"]>[0] & { readonly finding: Finding };

export async function toldTieBreaker(
	ground: Ground,
	{ finding, event, order }: Dispute,
	{ workDir, handsIn }: CallPlace,
): Promise<Told> {
	const { developerOutput, reviewerFeedback } = event;
	const evidence = await ground.read.evidence(ground.log.turn);
	const ran = evidence.map(({ check, kind, status }) => `- ${check} (${kind}): ${status}`);
	const checks = `## Results of Sparring's own checks on this work\n\n${ran.join("\n")}`;
	const background = `${taskText(ground.task)}\n\n${checks}`;
	const { told } = await judgedWork(ground, workDir);
	const sides = { developer: developerOutput, reviewer: reviewerFeedback };
	return {
		prompt: tieBreakPrompt({ developerOutput, reviewerFeedback, order, handsIn, background }),
		context: {
			role: "tie_breaker",
			...told,
			conflict: { finding: findingJson(finding), ...sides },
		},
	};
}

async function judgedWork(ground: Ground, workDir: string) {
	const { start: base, commit } = ground.state;
	const diffPath = `${workDir}/diff.patch`;
	const [diff = ""] = await keepDiffs(ground, [{ from: base, to: commit, path: diffPath }]);
	const told = {
		run: ground.run.runId,
		turn: ground.log.turn,
		base,
		commit,
		task: snake(ground.task, "id", "description", "acceptanceCriteria"),
		subtask: ground.subtask?.id ?? null,
		diff_path: diffPath,
	};
	return { diff, diffPath, told };
}

/** The largest diff that is kept for a judge, in bytes; above it the file says what is left out. */
const MAX_DIFF_BYTES = 20_000_000;

/** Keeps diffs without secrets beside a call. @returns their texts */
export async function keepDiffs(
	ground: Pick<Ground, "texts" | "masker">,
	diffs: readonly (CommitPair & { readonly path: string })[],
): Promise<readonly string[]> {
	const texts = await maskedDiffs(ground, diffs, MAX_DIFF_BYTES);
	for (const [nth, { path }] of diffs.entries()) await writeFile(path, texts[nth] ?? "");
	return texts;
}

// Masked here and cut later: a secret that was cut is not recognised.
export async function maskedDiffs(
	{ texts, masker }: Pick<Ground, "texts" | "masker">,
	pairs: readonly CommitPair[],
	maxBytes: number,
): Promise<readonly string[]> {
	return (await texts.diffs(pairs, maxBytes)).map((text) => masker.mask(text));
}
