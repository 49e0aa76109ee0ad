import { mkdirSync } from "node:fs";
import type { UpheldFinding } from "../conflict/conflict.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { MutationRequest } from "../judge/battery/mutation.ts";
import { takeBaseline } from "../judge/check-suite.ts";
import type { GroundProblem, RunFailure } from "../judge/ground-problems.ts";
import { type JudgeInput, judgePorts } from "../judge/judge-tree.ts";
import { setUp } from "../judge/prepare-checkout.ts";
import { surroundingsProblems } from "../judge/surroundings.ts";
import { tellingLines } from "../judge/telling-lines.ts";
import type { Blobs } from "../kernel/blobs.ts";
import type { Role } from "../kernel/roles.ts";
import {
	advanceSession,
	checkFile,
	type FileCheck,
	type PairPlan,
	type PairRecord,
	rebuildSession,
	recordOf,
	seatsAt,
	sessionProblems,
	sessionText,
	startSession,
} from "../review/pair-session.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { Suite } from "../verification/suite.ts";
import type { TestRun } from "../verification/test-run.ts";
import type { Verifier } from "../verification/verification.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { budgetFacts } from "./admission/budget.ts";
import { answeredBefore, type RefusedAnswer, recordCall } from "./agent-call.ts";
import {
	type AssembledRequest,
	type AssembledResult,
	checkAssembled,
	prepareCold,
	replayCold,
} from "./assembled-tree.ts";
import { commitsOf } from "./commits.ts";
import { settleConflict } from "./conflict-attempt.ts";
import type { Ground, TaskContext, TaskFacts } from "./context.ts";
import { inProcessVerifier } from "./in-process-verifier.ts";
import { groundOf, planOf } from "./present-task.ts";
import type { Journal } from "./records/task-log.ts";
import { type TurnVerification, verificationReport } from "./records/turn-verification.ts";
import { ask, type Evaluation, evaluate, type QuestionTo } from "./roles.ts";
import { runTests, testCommit } from "./run-tests.ts";
import { endOfEpisode, type SeatAnswer } from "./seat-call.ts";
import { type SharedFile, sharedKeys, writeShared } from "./shared-file.ts";
import type { TaskState } from "./state.ts";
import { maskedDiffs } from "./told-judges.ts";
import { lostWork } from "./told-player.ts";

const MAX_BYTES = 96_000_000;

/** `""` for what is too large to be a session, or no file; null where there is nothing. */
async function textOf(blobs: Blobs, key: string): Promise<string | null> {
	const entry = await blobs.entry(key);
	if (entry === undefined) return (await blobs.has(key)) ? "" : null;
	return entry.bytes > MAX_BYTES ? "" : ((await blobs.read(key)) ?? null);
}

const MAX_DIFF_BYTES = 20_000_000;

export type NodeInput = ReturnType<typeof inputOf>;

export async function nodeInput(
	context: TaskContext,
	state: TaskState,
	log: Journal,
): Promise<NodeInput> {
	return inputOf(await groundOf(context, state, log), context.task);
}

function inputOf(ground: Ground, whole: TaskDefinition) {
	const { state, read, log, refs, queue, underWay } = ground;
	const task = ground.task.id;
	const facts: TaskFacts = ground;
	const evidence: JudgeInput["evidence"] = ground.evidence;
	return {
		facts,
		state,
		read,
		log,
		evidence,
		/** Stores records at once; for what a later step of the same node builds on. */
		keep: (writes: readonly Write[]) => ground.commit(writes),
		commits: commitsOf(ground, whole),
		refs,
		checks: checksOf(ground),
		seats: seatsOf(ground),
		verifier: verifierOf(ground),
		pair: pairFiles(ground),
		files: taskFilesOf(ground),
		queue: {
			enter: (how: { readonly alone: boolean }) => queue.enter({ ...how, task }, ground.signal),
			reserve: () => queue.reserve(task),
		},
		underWay,
		others: () => otherTasks(ground),
		budget: () => budgetFacts(ground),
		preflight: (problems: readonly GroundProblem[]) => ground.preflight(problems),
		newItemId: () => ground.newItemId(),
	};
}

async function otherTasks({ run, task, workflow, records, queue }: Ground) {
	const told = new Map(workflow.tasks.map(({ id, description }) => [id, description]));
	return (await records.tasks(run.runId))
		.filter(({ taskId }) => taskId !== task.id)
		.map(({ taskId, mergedCommit }) => {
			const landed = mergedCommit ?? queue.landedBy(taskId);
			return { id: taskId, description: told.get(taskId) ?? "", mergedCommit: landed };
		});
}

/** The session of a task's pair, in the database and in the file that other programs read. */
function pairFiles(ground: Ground) {
	const { records, run, task, blobs, read, log } = ground;
	const of = { runId: run.runId, taskId: task.id };
	const file: SharedFile = { ...of, folder: "state/pair-sessions" };
	const stored = (): Promise<PairRecord | undefined> => records.pairSession(of.runId, of.taskId);
	const present = async (pair: PairPlan): Promise<PairRecord> => {
		const session = startSession(of, pair);
		return (await stored()) ?? { session, digest: null, previousDigest: null };
	};
	const write = async (): Promise<void> => {
		const record = await stored();
		if (record !== undefined && record.digest !== null)
			await writeShared(ground, file, sessionText(record.session));
	};
	/** Why the pair may not go on: its session or its file was changed by somebody else. Null: it may. */
	const trouble = async (): Promise<string | null> => {
		const plan = planOf(ground);
		if (plan === null) return null;
		const record = await present(plan);
		const checks: FileCheck[] = [];
		for (const key of await sharedKeys(ground, file))
			checks.push(checkFile(await textOf(blobs, key), record));
		const problems = sessionProblems(record.session, plan);
		if (checks.includes("gone")) problems.push("the session file is gone");
		if (checks.includes("changed"))
			problems.push("the session file was changed, cut short or replaced after it was written");
		// A kill left them behind.
		if (problems.length === 0 && checks.includes("stale")) await write();
		if (problems.length === 0) return null;
		return `the pair session is inconsistent: ${problems.join("; ")}`;
	};
	return {
		trouble,
		/** Writes the files of the stored session. Harmless when repeated. */
		write,
		/** Writes them where a kill left them behind; what somebody changed is left as it is. */
		catchUp: async (): Promise<void> => void (await trouble()),
		/** The session after a turn, with the seats changed where they are to. */
		moved: async (
			{ turn, effective, notes: summary, rationale: critique }: TurnRecord,
			completedSubtask: string | null,
		): Promise<readonly Write[]> => {
			const plan = planOf(ground);
			if (plan === null || effective === null) return [];
			const before = await present(plan);
			const approved = effective === "approve";
			const open = new Set((await read.open()).map(({ id }) => id));
			const findings = (await read.findings()).filter(
				({ id, changedTurn }) => changedTurn === turn || open.has(id),
			);
			const result = { turn, summary, critique, findings, approved, completedSubtask };
			const session = advanceSession(before.session, result);
			const { player, coach } = seatsAt(session);
			const writes: Write[] = [{ kind: "pair-session", record: recordOf(session, before) }];
			if (player !== seatsAt(before.session).player)
				writes.push(
					log.event("seats-switched", { player, coach, after: completedSubtask ?? turn }),
				);
			return writes;
		},
		/** The session made again from the database; empty for a single agent. */
		rebuilt: async (): Promise<readonly Write[]> => {
			const plan = planOf(ground);
			if (plan === null) return [];
			const before = await present(plan);
			const record = recordOf(rebuildSession(before.session, plan), before);
			return [{ kind: "pair-session", record }];
		},
	};
}

/** Setups and checks, each in a checkout of its own. Every result is stored before the next check starts. */
function checksOf(ground: Ground) {
	const { places } = ground;
	return {
		preparePlayer: async (commit: string): Promise<RunFailure | null> => {
			mkdirSync(places.work, { recursive: true });
			// The player's call makes its checkout anyway; only a setup can show here that none is to be made.
			if (ground.workflow.setup.length === 0) return null;
			const own = { checkout: places.player, name: "player", commit };
			const { status, reason, output } = await setUp(ground, own);
			if (status === "pass") return null;
			const said = tellingLines({ status: "error", outputTail: output });
			return { why: reason ?? "no reason given", said };
		},
		takeBaseline: (commit: string) => takeBaseline(ground, commit),
		lacking: (commit: string): Promise<readonly GroundProblem[]> =>
			surroundingsProblems(ground, commit),
		...judgePorts(ground).checks,
		/** Begins the cold setup that a merge of this commit will need, if there is one; returns at once. */
		prepareAssembled: (commit: string): void => {
			if (ground.setups === null || ground.workflow.setup.length === 0) return;
			ground.ahead.begin((signal, before) =>
				prepareCold({ ...ground, signal }, { commit, before }),
			);
		},
		mutate: async (product: MutationRequest): Promise<readonly Evidence[]> =>
			(await import("../judge/battery/mutation.ts")).testMutants(ground, product),
		/** Runs the base's tests cold on a commit that would be approved; null where that does not serve for its merge. */
		replayCold: (commit: string): Promise<readonly Evidence[] | null> => replayCold(ground, commit),
		ofAssembled: (merged: AssembledRequest): Promise<AssembledResult> => {
			const { gone } = merged;
			const signal = gone === undefined ? ground.signal : AbortSignal.any([ground.signal, gone]);
			return checkAssembled({ ...ground, signal }, merged);
		},
		testsOfAssembled: async (commit: string, suite: Suite): Promise<TestRun> => {
			const at = await testCommit(ground.vault, { of: commit, suite });
			const { integration: checkout } = places;
			const wanted = { suite, at, place: "merged", checkout, name: "integration" };
			return await runTests(ground, wanted);
		},
	};
}

/** Those who sit in the task's seats. The same call again after a kill gives the stored answer. */
function seatsOf(ground: Ground) {
	return {
		player: async (): Promise<SeatAnswer> => {
			// What nothing has used serves for this turn too, where its inputs stay the same.
			const done = await ground.ahead.stop();
			if (done?.isUsed === false) ground.ahead.begin(() => Promise.resolve(done));
			return await ask(ground, "player", { agent: ground.task.player, nth: 0, works: true });
		},
		/** The player's answer to this turn that is stored, but whose work is gone, with what became of it; null: there is none. */
		lostWork: (): Promise<RefusedAnswer | null> => lostWork(ground),
		coach: (question: QuestionTo<"coach">): Promise<SeatAnswer> => ask(ground, "coach", question),
		evaluator: (question: QuestionTo<"evaluator">): Promise<Evaluation> =>
			evaluate(ground, question),
		/**
		 * One attempt at settling a disputed finding, stored with its effect when this returns.
		 *
		 * @throws ResolutionInterrupted when the tie-breaker could not be asked to the end; nothing is decided then
		 */
		tieBreaker: (finding: UpheldFinding) => settleConflict(ground, finding),
		recordPlayer: async (
			{ call, outcome }: Extract<SeatAnswer, { kind: "answered" }>,
			change: { readonly from: string; readonly to: string },
		) => await recordCall(ground, call, outcome ?? answeredBefore(call), change),
		endEpisode: (role: Role): Promise<Write> => endOfEpisode(ground, role),
		forgetFailures: (): void => ground.admission.forgetFailures(ground.task.id),
	};
}

function verifierOf(ground: Ground): Verifier {
	let verifier: Verifier | undefined;
	return {
		verify: async (request) => {
			verifier ??= ground.remoteVerifier?.(ground.state) ?? inProcessVerifier(ground);
			return await verifier.verify(request);
		},
	};
}

function taskFilesOf({ run, task, records, blobs, places, texts, masker }: Ground) {
	const share = async (folder: SharedFile["folder"], value: object): Promise<void> => {
		const text = `${JSON.stringify(maskAllButNames(masker, value), null, 2)}\n`;
		await writeShared({ records, blobs }, { runId: run.runId, taskId: task.id, folder }, text);
	};
	return {
		checkout: (): string | null => (task.formalReview === true ? null : places.player.dir),
		gateReport: (report: GateReport) => share("state/gate-reports", report),
		verification: async (verification: TurnVerification) => {
			const shown = { run_id: run.runId, task_id: task.id, ...verificationReport(verification) };
			await share("state/verification", shown);
		},
		diff: async (turn: number, from: string, to: string) => {
			const key = `${places.outputs}/turn-${turn}.patch`;
			const [diff = ""] = await maskedDiffs({ texts, masker }, [{ from, to }], MAX_DIFF_BYTES);
			await blobs.put(key, diff);
			return key;
		},
	};
}
