import type { FileChange } from "../git/file-change.ts";
import type { Snapshot } from "../git/snapshot.ts";
import { MergeQueue } from "../merge/merge-queue.ts";
import { call, item, run, task, turn } from "../store/record-builders.contract.ts";
import type { Write } from "../store/records.ts";
import type { TestRun } from "../verification/test-run.ts";
import type { Sides } from "../wall/reading/sides.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import { type TaskFacts, WorkUnderWay } from "./context.ts";
import type { NodeInput } from "./node-input.ts";
import { type Journal, taskLog } from "./records/task-log.ts";
import { attemptOf } from "./records/task-reader.ts";
import { initialState, type TaskState } from "./state.ts";

/** A task of one agent with an acceptance check and no gate, unless told otherwise. */
const aTask = (part: Partial<TaskDefinition> = {}): TaskDefinition => ({
	id: "limiter",
	description: "Build it.",
	acceptanceCriteria: ["it works"],
	contextFiles: [],
	dependsOn: [],
	player: "dev",
	requiresVerification: "auto",
	requiresHuman: false,
	maxTurns: 10,
	bound: 5,
	gate: false,
	gateDeclined: false,
	human: true,
	...part,
});

const TESTS = {
	name: "tests",
	kind: "acceptance",
	run: "npm test",
	baseline: "new",
	report: { format: "exit" },
	timeoutMs: 1_000,
} as const satisfies Workflow["checks"][number];

/** Facts of that task; `workflow` has it as the file does. */
export function theFacts(
	part: {
		readonly task?: Partial<TaskDefinition>;
		readonly workflow?: Partial<Workflow>;
		readonly subtask?: TaskFacts["subtask"];
	} = {},
): TaskFacts {
	const definition = aTask(part.task);
	const record = run();
	const workflow = { ...record.workflow, checks: [TESTS], tasks: [definition], ...part.workflow };
	return { run: record, workflow, task: definition, subtask: part.subtask ?? null, epoch: 1 };
}

/** A state in turn 2 on commit `c2`, begun on `c0`. */
export const aState = (part: Partial<TaskState> = {}): TaskState => ({
	...initialState({ runId: run().runId, taskId: "limiter", bound: 5, turn: 2 }),
	start: "c0",
	commit: "c2",
	...part,
});

/** A log whose clock stands still at the epoch. */
export function aLog(turnNumber = 2, node = "policy_gate"): Journal {
	const of = { runId: run().runId, taskId: "limiter" };
	return taskLog(of, { turn: turnNumber, node }, { now: () => 0 });
}

const later = <T>(value: T): Promise<T> => Promise.resolve(value);

/** Reads of a task that has a record, its turns, and nothing else. */
const reads = (part: Partial<NodeInput["read"]> = {}): NodeInput["read"] => ({
	task: () => later(task({ taskId: "limiter", startCommit: "c0", commit: "c2" })),
	turn: (number) => later(turn({ turn: number, taskId: "limiter" })),
	turnIfAny: (number) => later(number === 0 ? undefined : turn({ turn: number })),
	turns: () => later([]),
	allEvidence: () => later([]),
	evidence: () => later([]),
	baseline: () => later(new Map()),
	open: () => later([]),
	findings: () => later([]),
	findingsByIssue: () => later([]),
	findingCount: () => later(0),
	conflicts: () => later([]),
	calls: () => later([]),
	items: () => later([]),
	item: () => later(item()),
	pairSession: () => later(undefined),
	step: () => later(undefined),
	score: () => later(null),
	gateReport: () => later(null),
	leftOut: () => later([]),
	leftBehind: () => later({ work: [], ignored: [] }),
	wall: () => later({ suspicions: [], allowed: [], violations: [] }),
	claims: () => later(null),
	suspected: () => later({ suspicions: [], answers: [] }),
	overlaps: () => later([]),
	refusedMerge: () => later(null),
	verification: () => later(null),
	suites: () => later([]),
	...part,
});

export const aSnapshot = (part: Partial<Snapshot> = {}): Snapshot => ({
	commit: "c3",
	tree: "t3",
	empty: false,
	embedded: [],
	leftOut: [],
	unfit: [],
	userIgnored: [],
	...part,
});

/** A file that a commit changes. */
export const aChange = (path: string): FileChange => ({
	path,
	kind: "modified",
	oldMode: "100644",
	newMode: "100644",
	oldOid: "o1",
	newOid: "o2",
});

/** A run of a verifier's tests in which one passed. */
export const aTestRun = (part: Partial<TestRun> = {}): TestRun => ({
	status: "pass",
	problem: null,
	cases: [{ id: "works", status: "passed" }],
	notLoaded: [],
	namesPassed: true,
	ran: 1,
	tail: "",
	outputPath: null,
	ms: 1,
	...part,
});

/** A line between product and tests of a base without tests. */
export const NO_SIDES: Sides = {
	tests: new Map(),
	words: new Set<string>(),
	isTestWhenNew: () => false,
	isNamed: () => false,
	wordsBesideMake: () => new Set(),
	classOf: () => "product",
	displacedBy: () => [],
	testsOf: () => [],
};

type Parts = { readonly [Key in keyof NodeInput]?: Partial<NodeInput[Key]> };

/** What was asked of the ports, in order. */
export interface Scene {
	readonly input: NodeInput;
	/** Names of the effects, in order, each with what tells it from others. */
	readonly done: string[];
	/** What was kept at once. */
	readonly kept: Write[];
}

/**
 * A node's input of fakes: trees are named after commits, every seat answers, every check has nothing to say, and
 * nothing is on disk. A test replaces the parts that it is about.
 */
export function scene(parts: Parts & { readonly facts?: TaskFacts } = {}): Scene {
	const done: string[] = [];
	const kept: Write[] = [];
	const does =
		<T>(name: string, value: T) =>
		(...args: readonly unknown[]): Promise<T> => {
			const said = args.filter((arg) => typeof arg === "string");
			done.push([name, ...said].join(" "));
			return later(value);
		};
	const answered = { kind: "answered", call: call(), outcome: null } as const;
	const input: NodeInput = {
		facts: parts.facts ?? theFacts(),
		state: aState(parts.state),
		read: reads(parts.read),
		log: aLog(aState(parts.state).turn),
		evidence: {
			attempt: (nth) => attemptOf(aState(parts.state).items, nth),
			ofWork: () => reads(parts.read).evidence(aState(parts.state).turn),
			ofBase: async () => [...(await reads(parts.read).baseline()).values()],
			...parts.evidence,
		},
		keep: (writes) => {
			kept.push(...writes);
			return later(undefined);
		},
		commits: {
			treeOf: (commit) => later(`t-${commit}`),
			changes: () => later([]),
			lines: () => later(undefined),
			textAt: () => later(null),
			reader: () => () => later(null),
			trees: (files) => later(files.map(() => null)),
			ignoredAt: () => later([]),
			secrets: () => [],
			files: () => later([]),
			texts: () => later([]),
			changedTexts: () => later([]),
			naming: () => later([]),
			countFiles: () => later(0),
			isCommit: () => later(true),
			isAncestor: () => later(false),
			forecast: () => later({ clean: true, tree: "t-merged" }),
			snapshot: () => later(aSnapshot()),
			leftWork: () => later([]),
			ofTask: does("commit", "m1"),
			withTests: does("with tests", "v1"),
			merge: does("merge", "m1"),
			...parts.commits,
		},
		refs: {
			publish: does("publish", undefined),
			keep: does("keep", undefined),
			pushed: () => later(null),
			integrationTip: () => later("c0"),
			moveIntegration: does("move", true),
			...parts.refs,
		},
		checks: {
			preparePlayer: does("prepare", null),
			takeBaseline: does("baseline", undefined),
			lacking: () => later([]),
			ofTurn: does("checks", []),
			byNow: (_start, compared) => later(compared),
			prepareAssembled: (commit) => void done.push(`prepare assembled ${commit}`),
			replay: () => later({ evidence: [], sides: NO_SIDES, holds: false }),
			measure: () => later({ violations: [], weaker: [], kept: new Set<string>(), notes: [] }),
			near: () => later([]),
			mutate: ({ commit }) => does("mutants", [])(commit),
			replayCold: () => later(null),
			ofAssembled: ({ commit }) => does("assembled", { kind: "pass" } as const)(commit),
			testsOfAssembled: does("tests of assembled", aTestRun()),
			...parts.checks,
		},
		seats: {
			player: does("player", answered),
			lostWork: () => later(null),
			coach: does("coach", answered),
			evaluator: does("evaluator", {
				kind: "failed",
				agent: "arbiter",
				reason: "no script",
				refused: [],
			}),
			tieBreaker: does("tie-breaker", undefined),
			recordPlayer: does("record", undefined),
			endEpisode: async (role) => {
				await does("episode", undefined)(role);
				return { kind: "item-consumed", itemId: `episode of ${role}` };
			},
			forgetFailures: () => done.push("forget"),
			...parts.seats,
		},
		verifier: {
			verify: does("verify", { kind: "role_failed", agent: "coach", why: "no script" }),
			...parts.verifier,
		},
		pair: {
			trouble: () => later(null),
			moved: () => later([]),
			rebuilt: () => later([]),
			write: does("write session", undefined),
			catchUp: does("catch up", undefined),
			...parts.pair,
		},
		files: {
			checkout: () => "/checkouts/limiter/player",
			gateReport: does("gate report", undefined),
			verification: does("verification file", undefined),
			diff: (number) => later(`turn-${number}.patch`),
			...parts.files,
		},
		queue: {
			enter: (options) =>
				new MergeQueue().enter({ ...options, task: "limiter" }, new AbortController().signal),
			reserve: () => done.push("reserve") > 0,
		},
		others: () => later([]),
		underWay: new WorkUnderWay(),
		budget: () => later(null),
		preflight: (problems) =>
			does(["preflight", ...problems.map(({ kind }) => kind)].join(" "), undefined)(),
		newItemId: () => "h1",
	};
	return { input, done, kept };
}

/** The events among writes, by type. */
export const eventsOf = (writes: readonly Write[] = []): string[] =>
	writes.flatMap((write) => (write.kind === "event" ? [write.event.type] : []));

/** The writes of one kind. */
export const ofKind = (writes: readonly Write[] | undefined, kind: Write["kind"]): Write[] =>
	(writes ?? []).filter((write) => write.kind === kind);
