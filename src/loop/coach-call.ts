import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type CommitPair, diffTexts } from "../git/changes.ts";
import { prepareCheckout } from "../judge/prepare-checkout.ts";
import { snake } from "../kernel/snake-case.ts";
import { coachPrompt } from "../review/coach-prompt.ts";
import { coachContext } from "../review/context.ts";
import type { VerifiedWork } from "../review/evidence-text.ts";
import { overruledFindings } from "../review/ledger.ts";
import { judgedSuspicions, unsettled } from "../review/suspicion-answers.ts";
import type { CallPlace, RefusedAnswer, SeatRequest } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { verificationReport } from "./records/turn-verification.ts";
import { handOutput, seatInput } from "./seat-input.ts";

/** The largest diff that is kept for a coach, in bytes; above it the file says what is left out. */
const MAX_DIFF_BYTES = 20_000_000;

export interface CoachCall {
	readonly coach: string;
	readonly nth: number;
	readonly refused: RefusedAnswer | null;
	/** Called when the coach's checkout is ready, once an attempt: what may be done while it works. */
	readonly meanwhile: () => void;
	readonly isUnchanged: boolean;
}

export function coachRequest(ground: Ground, seat: CoachCall): SeatRequest {
	const { coach } = ground.places;
	return {
		role: "coach",
		agent: seat.coach,
		checkout: coach.dir,
		prepare: async () => {
			// Made again after a call that changed it: whatever that call planted is gone.
			const calls = await ground.read.calls(ground.log.turn, "coach");
			const left = calls.length > 0 ? ground.state.commit : ground.state.reviewed;
			if (left === "" || !(await coach.isUnchanged(left))) await coach.remove();
			const { commit } = ground.state;
			await prepareCheckout(ground, { checkout: coach, name: "coach", commit });
			seat.meanwhile();
		},
		compose: (place) => compose(ground, seat, place),
		refused: seat.refused,
		nth: seat.nth,
	};
}

async function compose(
	ground: Ground,
	{ isUnchanged }: CoachCall,
	{ workDir, handsIn }: CallPlace,
) {
	const evidence = await ground.read.evidence(ground.log.turn);
	const input = await seatInput(ground, { evidence, workDir });
	const { start, reviewed, commit, round } = ground.state;
	const path = `${workDir}/diff.patch`;
	const sinceLast = { from: reviewed, to: commit, path: `${workDir}/since-last-round.patch` };
	const [whole, delta] = await keepDiffs(ground, [
		{ from: start, to: commit, path },
		...(reviewed === "" ? [] : [sinceLast]),
	]);
	const known = await ground.read.findings();
	// What a verifier's test found is no question for the coach: only a run closes it.
	const findings = input.findings.filter(({ source }) => source !== "verification");
	const suspected = await ground.read.suspected(ground.log.turn);
	const suspicions = unsettled(judgedSuspicions(suspected, known)).map(
		({ suspicion }) => suspicion,
	);
	const verified = await verifiedWork(ground, workDir);
	const falseClaims = (await ground.read.claims(ground.log.turn))?.false ?? [];
	const prompt = coachPrompt({
		task: ground.task,
		turn: ground.log.turn,
		round: round + 1,
		findings,
		overruled: overruledFindings(known, input.subtask),
		evidence: input.evidence,
		suspicions,
		falseClaims,
		verified,
		isUnchanged,
		diff: whole ?? "",
		diffPath: path,
		delta: delta ?? null,
		directive: input.directive,
		pair: input.pair !== null,
		handsIn,
	});
	const told = { findings, suspicions, falseClaims, verified, diffPath: path };
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

/** Keeps a diff without secrets beside a call. */
export async function keepDiff(
	ground: Pick<Ground, "vault" | "masker" | "places">,
	range: CommitPair,
	workDir: string,
): Promise<{ readonly text: string; readonly path: string }> {
	const path = `${workDir}/diff.patch`;
	const [text = ""] = await keepDiffs(ground, [{ ...range, path }]);
	return { text, path };
}

async function keepDiffs(
	ground: Pick<Ground, "vault" | "masker" | "places">,
	diffs: readonly (CommitPair & { readonly path: string })[],
): Promise<readonly string[]> {
	const texts = await maskedDiffs(ground, diffs, MAX_DIFF_BYTES);
	mkdirSync(ground.places.work, { recursive: true });
	for (const [nth, { path }] of diffs.entries()) await writeFile(path, texts[nth] ?? "");
	return texts;
}

// Made again: the coach may have left anything there. `keep`: the call before was of the same judge.
export function judgeCheckout(
	ground: Ground,
	keep = false,
): Pick<SeatRequest, "checkout" | "prepare"> {
	const { commit } = ground.state;
	const { coach: checkout } = ground.places;
	return {
		checkout: checkout.dir,
		prepare: async () => {
			if (!keep || !(await checkout.isUnchanged(commit))) await checkout.remove();
			await prepareCheckout(ground, { checkout, name: "coach", commit });
		},
	};
}

export async function judgedWork(
	ground: Ground,
	workDir: string,
): Promise<{
	readonly diff: { readonly text: string; readonly path: string };
	readonly told: Readonly<Record<string, unknown>>;
}> {
	const { start, commit } = ground.state;
	const diff = await keepDiff(ground, { from: start, to: commit }, workDir);
	const told = {
		run: ground.run.runId,
		turn: ground.log.turn,
		base: start,
		commit,
		task: snake(ground.task, "id", "description", "acceptanceCriteria"),
		subtask: ground.subtask?.id ?? null,
		diff_path: diff.path,
	};
	return { diff, told };
}

// Masked here and cut later: a secret that was cut is not recognised.
export async function maskedDiffs(
	{ vault, masker }: Pick<Ground, "vault" | "masker">,
	pairs: readonly CommitPair[],
	maxBytes: number,
): Promise<readonly string[]> {
	return (await diffTexts(vault, pairs, { maxBytes })).map(({ text }) => masker.mask(text));
}
