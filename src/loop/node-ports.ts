import { mkdirSync } from "node:fs";
import { changedTexts, sideOf } from "../git/changed-texts.ts";
import {
	changesBetween,
	filesAt,
	ignoredBy,
	isAncestor,
	isCommit,
	readFileAt,
	treeOf,
} from "../git/changes.ts";
import { leftWork } from "../git/left-work.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import { messageWith } from "../git/message.ts";
import { commitWithFiles, filesNaming } from "../git/with-files.ts";
import { writeText } from "../git/write-tree.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import { treeReader } from "../syntax/source-trees.ts";
import type { Verifier } from "../verification/verification.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { answeredBefore, recordCall } from "./agent-call.ts";
import { checkAssembled, prepareCold } from "./assembled-tree.ts";
import { budgetFacts } from "./budget.ts";
import { checkSuite, takeBaseline } from "./check-suite.ts";
import { coachRequest, maskedDiff } from "./coach-call.ts";
import { settleConflict } from "./conflict-attempt.ts";
import type { Ground, TaskContext } from "./context.ts";
import { copiedSecrets } from "./copied-secrets.ts";
import { evaluate } from "./evaluator-call.ts";
import { lackingProblems } from "./lacking.ts";
import { testMutants } from "./mutation.ts";
import type { NodeInput, OtherTask } from "./node.ts";
import { lostWork, playerRequest } from "./player-call.ts";
import type { Checks, Commits, PairFiles, Seats, TaskFiles } from "./ports.ts";
import { playerSnapshot, setUp } from "./prepare-checkout.ts";
import { presentFacts } from "./present-task.ts";
import { pythonRunner } from "./python-runner.ts";
import { replay } from "./replay.ts";
import { callSeat, endOfEpisode } from "./seat-call.ts";
import {
	catchUpSession,
	movedSession,
	pairTrouble,
	rebuiltSession,
	writeSession,
} from "./session-file.ts";
import { type SharedFile, writeShared } from "./shared-file.ts";
import type { TaskState } from "./state.ts";
import type { TaskLog } from "./task-log.ts";
import { taskMessage } from "./task-message.ts";
import { TaskReader } from "./task-reader.ts";
import { tellingLines } from "./telling-lines.ts";
import { verificationReport } from "./turn-verification.ts";
import { inProcessVerifier } from "./verification/in-process-verifier.ts";
import { filesOf, runTests, testCommit } from "./verification/run-tests.ts";

/** Most text of a change that is looked at for what it touches, in bytes. */
const MAX_TEXTS = 4_000_000;

/** Largest diff that is kept for a person, in bytes. */
const MAX_DIFF_BYTES = 20_000_000;

/** Reads the facts of this moment, and gives a node what it works with. */
export async function nodeInput(
	context: TaskContext,
	state: TaskState,
	log: TaskLog,
): Promise<NodeInput> {
	const facts = await presentFacts(context);
	const read = new TaskReader(context.records, log, facts.subtask?.id ?? null);
	const ground: Ground = { ...context, ...facts, read, log };
	return {
		facts,
		state,
		read,
		log,
		keep: (writes) => context.commit(writes),
		commits: commitsOf(ground, context.task),
		refs: context.refs,
		checks: checksOf(ground, state),
		seats: seatsOf(ground, state),
		verifier: verifierOf(ground, state),
		pair: pairFilesOf(ground),
		files: taskFilesOf(ground),
		queue: {
			enter: (options) => context.queue.enter({ ...options, task: facts.task.id }, context.signal),
			reserve: () => context.queue.reserve(facts.task.id),
		},
		underWay: context.underWay,
		others: () => otherTasks(context),
		budget: () => budgetFacts(ground),
		preflight: (problems) => context.preflight(problems),
		newItemId: () => context.newItemId(),
	};
}

async function otherTasks({
	run,
	task,
	workflow,
	records,
	queue,
}: TaskContext): Promise<OtherTask[]> {
	const told = new Map(workflow.tasks.map(({ id, description }) => [id, description]));
	return (await records.tasks(run.runId))
		.filter(({ taskId }) => taskId !== task.id)
		.map(({ taskId, mergedCommit }) => {
			const landed = mergedCommit ?? queue.landedBy(taskId);
			return { id: taskId, description: told.get(taskId) ?? "", mergedCommit: landed };
		});
}

/** @param whole the task with all its subtasks */
function commitsOf(ground: Ground, whole: TaskDefinition): Commits {
	const { run, task, vault, places, log } = ground;
	const messageOf = (subject: string): string =>
		messageWith(subject, { run: run.runId, task: task.id, turn: log.turn });
	return {
		treeOf: (commit) => treeOf(vault, commit),
		changes: (from, to) => changesBetween(vault, from, to),
		textAt: async (commit, path) =>
			(await readFileAt(vault, commit, path))?.toString("utf8") ?? null,
		trees: treeReader(pythonRunner(ground)),
		ignoredAt: (commit, paths) => ignoredBy(vault, commit, [...paths]),
		secrets: () => copiedSecrets(vault.copied).map(({ value }) => value),
		files: async (commit) => (await filesAt(vault, commit)).map(({ path }) => path),
		texts: async (from, to) =>
			(await changedTexts(vault, from, to, MAX_TEXTS)).map(({ path, kind, parts }) => ({
				path,
				before: parts === null || kind === "added" ? null : sideOf(parts, "old"),
				after: parts === null || kind === "deleted" ? null : sideOf(parts, "fresh"),
				isRead: parts !== null,
			})),
		naming: (commit, word) => filesNaming(vault, commit, word),
		countFiles: async (commit) => (await filesAt(vault, commit)).length,
		isCommit: (commit) => isCommit(vault, commit),
		isAncestor: (ancestor, commit) => isAncestor(vault, ancestor, commit),
		forecast: (ours, theirs) => forecastMerge(vault, ours, theirs),
		snapshot: ({ checkout, parent, subject, since, at }) =>
			playerSnapshot(places.player, { parent, message: messageOf(subject), since, at }, checkout),
		leftWork: (start) => leftWork(vault, places.player.dir, start),
		ofTask: async (given) =>
			await ground.commitAsUser({ ...given, message: await taskMessage(ground, whole) }),
		withTests: async ({ parent, suites, isWanted, texts, subject, at }) => {
			const files = [];
			for (const suite of suites)
				for (const file of await filesOf(vault, suite)) {
					const text = texts.get(file.path);
					files.push(text === undefined ? file : { ...file, oid: await writeText(vault, text) });
				}
			return await commitWithFiles(vault, {
				of: parent,
				files: files.filter(({ path }) => isWanted(path)),
				parents: [parent],
				message: messageOf(subject),
				at,
			});
		},
		merge: ({ tree, parents, subject, at }) =>
			commitMerge(vault, { tree, parents, message: messageOf(subject), at }),
	};
}

function checksOf(ground: Ground, state: TaskState): Checks {
	const { places, log } = ground;
	return {
		preparePlayer: async (commit) => {
			mkdirSync(places.work, { recursive: true });
			// The player's call makes its checkout anyway; only a setup can show here that none is to be made.
			if (ground.workflow.setup.length === 0) return null;
			const own = { checkout: places.player, name: "player", commit };
			const { status, reason, output } = await setUp(ground, own);
			if (status === "pass") return null;
			const said = tellingLines({ status: "error", outputTail: output });
			return { why: reason ?? "no reason given", said };
		},
		takeBaseline: (commit) => takeBaseline(ground, commit),
		lacking: (commit) => lackingProblems(ground, commit),
		ofTurn: (suite) =>
			checkSuite(ground, {
				...suite,
				checkout: places.checks,
				name: "checks",
				purpose: "turn",
				turn: log.turn,
				cold: false,
			}),
		prepareAssembled: (commit) => {
			if (ground.setups === null || ground.workflow.setup.length === 0) return;
			ground.ahead.begin((signal) => prepareCold({ ...ground, signal }, commit));
		},
		replay: (product) =>
			replay(ground, { checkout: places.checks, name: "checks", purpose: "turn" }, product),
		mutate: (product) => testMutants(ground, product),
		ofAssembled: (merged) => {
			const { gone } = merged;
			const signal = gone === undefined ? ground.signal : AbortSignal.any([ground.signal, gone]);
			return checkAssembled({ ...ground, signal }, state, merged);
		},
		testsOfAssembled: async (commit, suite) => {
			const at = await testCommit(ground.vault, { of: commit, suite });
			const { integration: checkout } = places;
			const wanted = { suite, at, place: "merged", checkout, name: "integration" };
			return await runTests(ground, state, wanted, ground.signal);
		},
	};
}

function seatsOf(ground: Ground, state: TaskState): Seats {
	return {
		player: async () => {
			// What was prepared for the merge of the turn before is of no use any more.
			await ground.ahead.stop();
			return await callSeat(ground, playerRequest(ground, state));
		},
		lostWork: () => lostWork(ground, state),
		coach: (call) => callSeat(ground, coachRequest(ground, state, call)),
		evaluator: (call) => evaluate(ground, state, call),
		tieBreaker: (finding) => settleConflict(ground, state, finding),
		recordPlayer: async ({ call, outcome }, change) => {
			const { agent } = call;
			const said = outcome ?? answeredBefore(call);
			await recordCall(ground, { role: "player", agent }, call.call, said, change);
		},
		endEpisode: (role) => endOfEpisode(ground, role),
		forgetFailures: () => ground.circuits.forget(ground.task.id, ground.clock.now()),
	};
}

/** Made when a node first asks: its calls are numbered over all that the node asks. */
function verifierOf(ground: Ground, state: TaskState): Verifier {
	let verifier: Verifier | undefined;
	return {
		verify: async (request) => {
			verifier ??= ground.remoteVerifier?.(state) ?? inProcessVerifier(ground, state);
			return await verifier.verify(request);
		},
	};
}

function pairFilesOf(ground: Ground): PairFiles {
	return {
		trouble: () => pairTrouble(ground),
		moved: (turn, completedSubtask) => movedSession(ground, turn, completedSubtask),
		rebuilt: () => rebuiltSession(ground),
		write: () => writeSession(ground),
		catchUp: () => catchUpSession(ground),
	};
}

function taskFilesOf({ run, task, records, blobs, places, vault, masker }: Ground): TaskFiles {
	const share = async (folder: SharedFile["folder"], value: object): Promise<void> => {
		const text = `${JSON.stringify(maskAllButNames(masker, value), null, 2)}\n`;
		await writeShared({ records, blobs }, { runId: run.runId, taskId: task.id, folder }, text);
	};
	return {
		checkout: () => (task.formalReview === true ? null : places.player.dir),
		gateReport: (report) => share("state/gate-reports", report),
		verification: async (verification) => {
			const shown = { run_id: run.runId, task_id: task.id, ...verificationReport(verification) };
			await share("state/verification", shown);
		},
		diff: async (turn, from, to) => {
			const key = `${places.outputs}/turn-${turn}.patch`;
			const diff = await maskedDiff({ vault, masker }, { from, to, maxBytes: MAX_DIFF_BYTES });
			await blobs.put(key, diff);
			return key;
		},
	};
}
