import { parseVerifierReport, type VerifierReport } from "../agents/report.ts";
import { type TreeEdit, writeText } from "../git/write-tree.ts";
import { normaliseFindingId } from "../review/apply-disputes.ts";
import { type CallRecord, type StepKey, stepWrite } from "../store/records.ts";
import type { SuiteMutant } from "../verification/mutants.ts";
import type { Suite } from "../verification/suite.ts";
import type {
	VerificationOutcome,
	VerificationRequest,
	Verifier,
} from "../verification/verification.ts";
import { suiteProblemText } from "../verification/verification-text.ts";
import {
	type RunPlace,
	verifyWith,
	type WriteProblem,
	type Written,
} from "../verification/verify-with.ts";
import { answeredBefore, recordCall } from "./agent-call.ts";
import type { Ground, TaskContext } from "./context.ts";
import { groundOf } from "./present-task.ts";
import { taskLog } from "./records/task-log.ts";
import { reportsRejected, workLost } from "./records/turn.ts";
import { ask, type QuestionTo } from "./roles.ts";
import {
	type MutableChange,
	mutableChange,
	runTests,
	shownCommit,
	testCommit,
} from "./run-tests.ts";
import { endOfEpisode, heardTwice, type SeatAnswer } from "./seat-call.ts";
import { initialState } from "./state.ts";
import { composeAuthor, composeDispute, type ShownWork, takeTests } from "./told-verifier.ts";

type VerifierAnswer =
	| { readonly kind: "report"; readonly report: VerifierReport; readonly call: CallRecord }
	| Exclude<VerificationOutcome, { readonly kind: "decided" }>;

/** A verifier, and the answers of its agent that are used by now. */
export interface InProcessVerifier extends Verifier {
	asked(): number;
}

/** @param asked answers of the agent that earlier requests of the same node used */
export function inProcessVerifier(ground: Ground, asked = 0): InProcessVerifier {
	const calls = verifierCalls(ground, asked);
	const { places, vault, workflow } = ground;
	let change: MutableChange | undefined;
	const changeOf = async (request: VerificationRequest): Promise<MutableChange> => {
		change ??= await mutableChange(ground, request);
		return change;
	};
	const runAt = async (request: VerificationRequest, suite: Suite, place: RunPlace) => {
		const mutant =
			typeof place === "string" ? undefined : (await changeOf(request)).mutants[place.mutant];
		const also = mutant === undefined ? [] : [await placed(ground, mutant)];
		const at = await testCommit(vault, {
			of: place === "base" ? request.base : request.commit,
			suite,
			also,
		});
		const name = "verification";
		const label = typeof place === "string" ? place : `mutant-${place.mutant + 1}`;
		const wanted = { suite, at, place: label, checkout: places.verification, name };
		return await runTests(ground, wanted);
	};
	const verifier = verifyWith({
		write: (request, problem) => writeTests(ground, calls, request, problem),
		answer: async (request, disputes) => {
			const shown = await shownWork(ground, request);
			const heard = await calls.hear(request, {
				commit: shown.commit,
				compose: ({ handsIn }) => composeDispute(ground, request, shown, { disputes, handsIn }),
			});
			if (heard.kind !== "report") return heard;
			const said = new Map(
				heard.report.disputes_status.map((each) => [normaliseFindingId(each.id), each]),
			);
			return {
				kind: "answers",
				answers: disputes.map(({ finding }) => {
					const { status = "upheld", reason = "" } = said.get(finding) ?? {};
					return { finding, status, reason };
				}),
			};
		},
		run: runAt,
		change: async (request) => {
			const { touchesProduct, mutants } = await changeOf(request);
			return { touchesProduct, mutants: mutants.map(({ place }) => place) };
		},
		mutantsMs: workflow.verification.runTimeoutMs,
	});
	return { ...verifier, asked: calls.asked };
}

async function shownWork(
	{ vault, task }: Pick<Ground, "vault" | "task">,
	{ base, commit }: VerificationRequest,
): Promise<ShownWork> {
	return {
		base: await shownCommit(vault, base, task.contextFiles),
		commit: await shownCommit(vault, commit, task.contextFiles),
	};
}

async function placed(
	{ vault }: Pick<Ground, "vault">,
	{ path, mode, text }: SuiteMutant,
): Promise<TreeEdit> {
	if (text === null) return { kind: "remove", path };
	return { kind: "put", path, mode, oid: await writeText(vault, text) };
}

async function writeTests(
	ground: Ground,
	calls: ReturnType<typeof verifierCalls>,
	request: VerificationRequest,
	problem: WriteProblem | null,
): Promise<Written> {
	const shown = await shownWork(ground, request);
	const why = problem === null ? null : problemText(problem);
	const heard = await calls.hear(request, {
		commit: shown.commit,
		works: true,
		// A call that has nothing left to test names no command.
		mayBeEmpty: request.withdrawn.length > 0,
		compose: (place) => composeAuthor(ground, request, shown, { ...place, problem: why }),
	});
	if (heard.kind !== "report") return heard;
	const { call, report } = heard;
	const { log } = ground;
	const key = writtenStep(log, call);
	const known = await ground.read.step(key);
	if (known !== undefined) return known;
	const taken = await takeTests(ground, call, {
		from: shown.commit,
		others: request.suites.flatMap(({ files }) => files),
		reported: report.tests_written,
	});
	const outcome = answeredBefore(call);
	await recordCall(ground, call, outcome, { from: shown.commit, to: taken.whole });
	const written: Written =
		taken.commit === null
			? { kind: "empty", left: taken.left }
			: {
					kind: "tests",
					suite: {
						id: `${log.turn}-${call.call}`,
						commit: taken.commit,
						files: taken.files,
						run: report.run,
						spec: request.spec,
						subtask: request.subtask,
						proof: null,
					},
				};
	const told = {
		call: call.call,
		files: [...taken.files],
		left: taken.left.map(({ path }) => path),
	};
	await ground.commit([stepWrite(key, written), log.event("tests-taken", told)]);
	return written;
}

function problemText(problem: WriteProblem): string {
	if (problem.kind !== "withdrawn") return suiteProblemText(problem);
	const tests = problem.tests.map((test) => `- ${test}`).join("\n");
	return `These tests were withdrawn, or decided against after a dispute. Do not write them again:\n${tests}`;
}

type VerifierQuestion = Pick<QuestionTo<"verifier">, "commit" | "works" | "compose"> & {
	readonly mayBeEmpty?: boolean;
};

// The calls of one request follow one another, so that each finds its own answer again after a kill.
function verifierCalls(ground: Ground, asked: number) {
	const { places, log, read, workflow } = ground;
	const { timeoutMs } = workflow.verification;
	let nth = asked;
	const isThere = async (call: CallRecord): Promise<boolean> => {
		const later = (await read.calls(log.turn, "verifier")).some((each) => each.call > call.call);
		if (later || (await read.step(writtenStep(log, call))) !== undefined) return true;
		return (await places.verifier.id()) === call.checkout;
	};
	const askNext = async (question: Omit<QuestionTo<"verifier">, "nth">): Promise<SeatAnswer> => {
		for (;;) {
			const answer = await ask(ground, "verifier", { ...question, nth });
			if (answer.kind !== "answered") return answer;
			nth += 1;
			if (question.works !== true || (await isThere(answer.call))) return answer;
			const reason = "its checkout has gone or has been made again since";
			const lost = workLost(log, { call: answer.call, reason });
			await ground.commit([await endOfEpisode(ground, "verifier"), lost]);
			nth = 0;
		}
	};
	return {
		asked: () => nth,
		hear: async (
			{ verifier: agent }: VerificationRequest,
			{ mayBeEmpty, ...question }: VerifierQuestion,
		): Promise<VerifierAnswer> => {
			const heard = await heardTwice(
				null,
				(_nth, refused) => askNext({ ...question, agent, timeoutMs, refused }),
				(report, problem) => parseVerifierReport(report, problem, mayBeEmpty),
			);
			if (heard.kind === "unpaid") return { kind: "unpaid", why: heard.reason };
			if (heard.refused.length > 0)
				await ground.commit(reportsRejected(log, "verifier", heard.refused));
			if (heard.kind === "report") return heard;
			const { agent: failed, reason: why, failure } = heard;
			return { kind: "role_failed", agent: failed, why, failure };
		},
	};
}

const writtenStep = (log: Ground["log"], { call }: CallRecord): StepKey<Written> =>
	log.key(`verification-written/${call}`);

/**
 * Verifies in this process what the node of another one asks for, with the records that it would have written
 * itself. `asked`: answers of the agent that earlier requests of that node used.
 */
export async function verifyRequest(
	context: TaskContext,
	request: VerificationRequest,
	from: { readonly items: number; readonly asked: number },
): Promise<{ readonly outcome: VerificationOutcome; readonly asked: number }> {
	const of = { runId: context.run.runId, taskId: context.task.id };
	const log = taskLog(of, { turn: request.turn, node: "verify" }, context.clock);
	const state = initialState({ ...of, bound: context.task.bound, items: from.items });
	const verifier = inProcessVerifier(await groundOf(context, state, log), from.asked);
	const outcome = await verifier.verify(request);
	return { outcome, asked: verifier.asked() };
}
