import type { UpheldFinding } from "../conflict/open-conflicts.ts";
import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { FileChange } from "../git/file-change.ts";
import type { MergeForecast } from "../git/merging.ts";
import type { Snapshot } from "../git/snapshot.ts";
import type { LeftWork } from "../kernel/left-work.ts";
import type { Role } from "../kernel/roles.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { TreeReader } from "../syntax/source-trees.ts";
import type { ChangedText } from "../verification/changed-text.ts";
import type { Suite } from "../verification/suite.ts";
import type { TestRun } from "../verification/test-run.ts";
import type { AssembledRequest, AssembledResult } from "./assembled-tree.ts";
import type { CoachCall } from "./coach-call.ts";
import type { Evaluation, EvaluatorCall } from "./evaluator-call.ts";
import type { GroundProblem, RunFailure } from "./ground-problems.ts";
import type { MutationRequest } from "./mutation.ts";
import type { LostWork } from "./player-call.ts";
import type { Replay, ReplayRequest } from "./replay.ts";
import type { SeatAnswer } from "./seat-call.ts";
import type { TurnVerification } from "./turn-verification.ts";

/** The commits that a task is about, and what is made of them. */
export interface Commits {
	treeOf(commit: string): Promise<string>;
	/** Files that differ; none between a commit and itself. */
	changes(from: string, to: string): Promise<readonly FileChange[]>;
	/** Text of a file of a commit; null when there is no such file. */
	textAt(commit: string, path: string): Promise<string | null>;
	/** Syntax trees of files in JavaScript, TypeScript and Python; null for what cannot be read. Nothing of them is run. */
	readonly trees: TreeReader;
	/** Those of the paths that a commit's own ignore rules ignore. */
	ignoredAt(commit: string, paths: readonly string[]): Promise<string[]>;
	/** Values that belong into no commit. */
	secrets(): readonly string[];
	/** Paths of the files of a commit. */
	files(commit: string): Promise<readonly string[]>;
	/** Files that differ, with their texts as far as they can be read. */
	texts(from: string, to: string): Promise<readonly ChangedText[]>;
	/** Paths of the files of a commit that name a word. */
	naming(commit: string, word: string): Promise<readonly string[]>;
	/** How many files a commit has. */
	countFiles(commit: string): Promise<number>;
	/** Whether the repository still has a commit; `git gc` removes what no ref holds. */
	isCommit(commit: string): Promise<boolean>;
	isAncestor(ancestor: string, commit: string): Promise<boolean>;
	/** What merging `theirs` into `ours` would give. */
	forecast(ours: string, theirs: string): Promise<MergeForecast>;
	/**
	 * Records what lies in the player's checkout.
	 *
	 * @param since when its call began, in milliseconds since the epoch
	 * @param at likewise; the same gives the same commit
	 */
	snapshot(given: {
		/** Id of the checkout that the call worked in; another one is a fault. */
		readonly checkout: string | null;
		readonly parent: string;
		readonly subject: string;
		readonly since: number;
		readonly at: number;
	}): Promise<Snapshot>;
	/** What the player committed or stashed in its checkout beyond a commit; no ref holds it yet. */
	leftWork(start: string): Promise<readonly LeftWork[]>;
	/** A commit with further files over those of its parent, as a verifier's tests are; moves no ref. */
	withTests(given: {
		readonly parent: string;
		readonly suites: readonly Pick<Suite, "commit">[];
		/** Whether a file is put in. */
		readonly isWanted: (path: string) => boolean;
		/** Texts that stand in files instead of their own, by path. */
		readonly texts: ReadonlyMap<string, string>;
		readonly subject: string;
		readonly at: number;
	}): Promise<string>;
	/**
	 * Writes the commit of the task for the integration branch, in the user's name, with what the records say of the task
	 * in its message. Moves no ref.
	 *
	 * @param parents the first is the tip of the integration branch
	 */
	ofTask(given: {
		readonly tree: string;
		readonly parents: readonly string[];
		readonly at: number;
	}): Promise<string>;
	/** Writes a merge commit of Sparring's own and moves no ref. The first parent is the branch that is merged into. */
	merge(given: {
		readonly tree: string;
		readonly parents: readonly string[];
		readonly subject: string;
		readonly at: number;
	}): Promise<string>;
}

/** Checks to run on a turn's commit. */
export interface TurnChecks {
	readonly commit: string;
	readonly tree: string;
	readonly checks: readonly RunDefinition[];
	readonly attempt: number;
	readonly baseline: ReadonlyMap<string, Evidence>;
}

/** Setups and checks, each in a checkout of its own. Every result is stored before the next check starts. */
export interface Checks {
	/** Brings the player's checkout to a commit and sets it up. Null when it is ready. */
	preparePlayer(commit: string): Promise<RunFailure | null>;
	/** Runs what has no evidence with a value for the tree of this commit yet. */
	takeBaseline(commit: string): Promise<void>;
	/** Checks of the baseline that lack what the user's checkout has. */
	lacking(commit: string): Promise<readonly GroundProblem[]>;
	ofTurn(suite: TurnChecks): Promise<readonly Evidence[]>;
	/** Begins the cold setup that a merge of this commit will need, if there is one; returns at once. */
	prepareAssembled(commit: string): void;
	/** Runs the base's own tests on the product of a turn's commit. What is stored for its tree is not run again. */
	replay(product: ReplayRequest): Promise<Replay>;
	/**
	 * Runs the acceptance checks on mutants of what a turn changed in the product, within the time of the policy. What is
	 * stored for its tree is not run again.
	 */
	mutate(product: MutationRequest): Promise<readonly Evidence[]>;
	/** Runs the acceptance checks on a merge commit, from a cold setup, and replays the tests of the branch's tip. */
	ofAssembled(merged: AssembledRequest): Promise<AssembledResult>;
	/** Runs a verifier's tests on a merge commit, in the checkout that the acceptance checks ran in. */
	testsOfAssembled(commit: string, suite: Suite): Promise<TestRun>;
}

/** Those who sit in the task's seats. The same call again after a kill gives the stored answer. */
export interface Seats {
	player(): Promise<SeatAnswer>;
	/** The player's answer to this turn that is stored, but whose work is gone, with what became of it; null: there is none. */
	lostWork(): Promise<LostWork | null>;
	coach(call: CoachCall): Promise<SeatAnswer>;
	evaluator(call: EvaluatorCall): Promise<Evaluation>;
	/**
	 * One attempt at settling a disputed finding, stored with its effect when this returns.
	 *
	 * @throws ResolutionInterrupted when the tie-breaker could not be asked to the end; nothing is decided then
	 */
	tieBreaker(finding: UpheldFinding): Promise<void>;
	/** Tells the cassette that is being recorded, if any, which files the player's answer changed. */
	recordPlayer(
		answer: Extract<SeatAnswer, { kind: "answered" }>,
		change: { readonly from: string; readonly to: string },
	): Promise<void>;
	/** Ends the episode of a seat: after a person said "try again", earlier answers and failures no longer count. */
	endEpisode(role: Role): Promise<Write>;
	/** Closes the circuit breakers: nothing bad is known of any agent any more. */
	forgetFailures(): void;
}

/** The session of the task's pair; for a single agent there is none, and nothing happens. */
export interface PairFiles {
	/** Why the pair may not go on: its session or its file was changed by somebody else. Null: it may. */
	trouble(): Promise<string | null>;
	/** The session after a turn, with the seats changed where they are to. */
	moved(turn: TurnRecord, completedSubtask: string | null): Promise<readonly Write[]>;
	/** The session made again from the database; empty for a single agent. */
	rebuilt(): Promise<readonly Write[]>;
	/** Writes the files of the stored session. Harmless when repeated. */
	write(): Promise<void>;
	/** Writes them where a kill left them behind; what somebody changed is left as it is. */
	catchUp(): Promise<void>;
}

/** Where the work stands, and files below the state directory that other tools and people read. */
export interface TaskFiles {
	/** Absolute path of the player's checkout; null for a formal review, which has none. */
	checkout(): string | null;
	gateReport(report: GateReport): Promise<void>;
	verification(verification: TurnVerification): Promise<void>;
	/** Keeps the difference of two commits for a person. Gives its path, relative to the state directory. */
	diff(turn: number, from: string, to: string): Promise<string>;
}
