import type { Agent, AgentOutcome } from "../agents/agent.ts";
import type { CommitPair } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import type { MergeCommit } from "../git/merging.ts";
import type { Vault } from "../git/vault.ts";
import type { FirstAlone } from "../judge/first-alone.ts";
import type { GroundProblem } from "../judge/ground-problems.ts";
import type { EvidenceStore, KeptBases, Setups } from "../judge/ports.ts";
import type { Blobs } from "../kernel/blobs.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Role } from "../kernel/roles.ts";
import type { Masker } from "../masking/masking.ts";
import type { MergeQueue } from "../merge/merge-queue.ts";
import type { ProcessHost } from "../process/process.ts";
import type { Records, RunRecord, Write } from "../store/records.ts";
import type { Verifier } from "../verification/verification.ts";
import type { AgentDefinition, TaskDefinition, Workflow } from "../workflow/workflow.ts";
import type { CallAdmission } from "./admission/admission.ts";
import type { Journal } from "./records/task-log.ts";
import type { TaskReader } from "./records/task-reader.ts";
import type { TaskState } from "./state.ts";

/** An agent ready to be called. */
export interface Seat {
	readonly agent: Agent;
	readonly definition: AgentDefinition;
}

/** A finished call, for a cassette. `files` are the changes of the checkout; null when none were looked for. */
export interface RecordedCall {
	readonly role: Role;
	readonly agent: string;
	readonly task: string;
	readonly subtask: string | null;
	readonly turn: number;
	readonly call: number;
	readonly outcome: AgentOutcome;
	/** Commits before and after the call; null when the checkout is not part of the answer. */
	readonly change: { readonly from: string; readonly to: string } | null;
}

/**
 * Port of `--record`: keeps a finished call. May be called again for the same call after a kill; the last counts.
 * It must not throw for content that it cannot keep; it says so to the user instead.
 */
export interface CallRecorder {
	record(call: RecordedCall): Promise<void>;
}

/** Files of one task. Absolute paths, outside of every repository but our own checkouts. */
export interface TaskPlaces {
	readonly player: Checkout;
	readonly checks: Checkout;
	readonly coach: Checkout;
	/** For a verifier to write tests in; made again for each call. */
	readonly verifier: Checkout;
	/** For runs of a verifier's tests. */
	readonly verification: Checkout;
	/** Made again for each assembled tree. */
	readonly integration: Checkout;
	/** In which a setup is made that is kept; no agent and no check works there. */
	readonly clean: Checkout;
	/** Directory for calls, setup states and temporary files of this task. */
	readonly work: string;
	/** Folder of this task's outputs and diffs among the files of runs. */
	readonly outputs: string;
	/** Likewise of its transcripts. */
	readonly transcripts: string;
}

/** Private refs and branches of the user's repository, as far as a task moves them. */
export interface TaskRefs {
	/**
	 * Moves the task's branch from `previous` (null: it does not exist yet) to the commit, and keeps the commit under
	 * the private ref of that label. Harmless when repeated; a branch that somebody else moved is a fault.
	 */
	publish(label: string, commit: string, previous: string | null): Promise<void>;
	/** Keeps a commit that no branch holds yet under the private ref of that label, so that `git gc` lets it be. */
	keep(label: string, commit: string): Promise<void>;
	/** Finds what an earlier holder of the task kept under that label on the remote; null: nothing, or there is no remote. */
	pushed(label: string): Promise<string | null>;
	/** Tip of the integration branch. */
	integrationTip(): Promise<string>;
	/** Compare-and-swap of the integration branch; false when it moved. */
	moveIntegration(from: string, to: string): Promise<boolean>;
}

/** Content of commits as text, for those who are told of it. Not masked. */
export interface CommitTexts {
	/** Unified diffs; one longer than `maxBytes` is cut, and says so. */
	diffs(pairs: readonly CommitPair[], maxBytes: number): Promise<readonly string[]>;
	/** A file of a commit; null where there is none. */
	at(commit: string, path: string): Promise<string | null>;
}

export interface ColdSetup {
	readonly tree: string;
	/** The key of that setup, when what it left fits every tree with the same inputs; else null. */
	readonly key: string | null;
	/** True once a product ran there: it serves for others of its turn. */
	readonly isUsed: boolean;
}

export interface PresentSubtask {
	readonly id: string;
	readonly index: number;
	readonly isLast: boolean;
}

/** Facts of a task, fixed while a node works. */
export interface TaskFacts {
	readonly run: RunRecord;
	readonly workflow: Workflow;
	/** As the file has it, with the bound that a person may have enlarged; while a node works, the present part and seats. */
	readonly task: TaskDefinition;
	/** The part that is worked on; null where the task has none, and before a node begins. */
	readonly subtask: PresentSubtask | null;
	/** Number of times that the task was reopened. */
	readonly epoch: number;
}

/** Facts and ports of a task, given by `app`; tests make their own. */
export interface TaskContext extends TaskFacts {
	readonly records: Records;
	/** Commits writes under the lease of the run and tells the listeners of the events in them. */
	commit(writes: readonly Write[]): Promise<void>;
	readonly clock: Clock;
	readonly masker: Masker;
	readonly vault: Vault;
	readonly places: TaskPlaces;
	readonly refs: TaskRefs;
	readonly texts: CommitTexts;
	/** Aborted by Ctrl-C, cancelling, or a lost lease: everything in flight ends. */
	readonly signal: AbortSignal;
	seat(name: string): Promise<Seat>;
	/** Reason why an agent cannot be called, such as a missing key or program; null when none is known. Calls nobody. */
	obstacle(name: string): Promise<string | null>;
	/** Transcripts, outputs, diffs, and what other tools read. */
	readonly blobs: Blobs;
	/** The queue of merges into the run's integration branch, shared by its tasks. */
	readonly queue: MergeQueue;
	/** Changes so far of the run's tasks that are worked on. */
	readonly underWay: WorkUnderWay;
	/** Baselines that are being taken, likewise. */
	readonly baselines: FirstAlone;
	/** Results that later runs and checks take for their baseline. */
	readonly bases: KeptBases;
	/** The one door for calls of the run's agents, shared by its tasks. */
	readonly admission: CallAdmission;
	/** Results of setups that are kept and copied; null: each checkout is set up by itself (`setup_cache: false`). */
	readonly setups: Setups | null;
	/** Work that is done before it is asked for. */
	readonly ahead: Ahead<ColdSetup>;
	/** Starts setups and checks, as confined as the workflow asks for. */
	readonly host: ProcessHost;
	/** Allow-listed environment of a child, with the named variables besides. */
	readonly environment: (names: readonly string[]) => Readonly<Record<string, string>>;
	/** Environment of what the user starts: for runs of the user's own commits alone. */
	readonly userEnvironment: () => Readonly<Record<string, string>>;
	readonly recorder: CallRecorder | null;
	/** Writes a commit in the name of the user who started the run; moves no ref. */
	commitAsUser(commit: MergeCommit): Promise<string>;
	/**
	 * Told what setup and baseline showed before the first turn of a task; where nothing is in the way of the run's first
	 * call, it returns at once.
	 *
	 * @throws Fault `preflight-refused` where nobody wants to go on
	 */
	preflight(problems: readonly GroundProblem[]): Promise<void>;
	/** Ids of new human items. */
	newItemId(): string;
	/** Makes the verifier of a node that asks one in another process; null: the node verifies in this one. */
	readonly remoteVerifier: ((state: { readonly items: number }) => Verifier) | null;
}

/** A task while one of its nodes works; nodes see of it what their input shows (`node-input.ts`). */
export interface Ground extends TaskContext {
	readonly state: TaskState;
	readonly read: TaskReader;
	readonly log: Journal;
	readonly evidence: EvidenceStore;
}

/**
 * Work for a task that is begun before anybody asks for it. There is one piece at a time; beginning another one stops
 * it first. What fails is not reported: whoever asks then does the work in the ordinary way, and sees why.
 */
export class Ahead<T> {
	readonly #signal: AbortSignal;
	/** Its `done` never rejects: null when the work failed or was stopped. */
	#piece: { readonly stop: AbortController; readonly done: Promise<T | null> } | null = null;

	/** @param signal stops whatever is under way */
	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	/**
	 * Begins a piece of work, after the one before has ended. Returns at once.
	 *
	 * @param work gets what came of the one before, where that was done and nobody has taken it
	 */
	begin(work: (signal: AbortSignal, before: T | null) => Promise<T | null>): void {
		const before = this.stop();
		const stop = new AbortController();
		const signal = AbortSignal.any([this.#signal, stop.signal]);
		const done = before
			.then((held) => (signal.aborted ? null : work(signal, held)))
			.catch(() => null);
		this.#piece = { stop, done };
	}

	/** Waits for what was begun and hands it over, once. Null when there is none, or it failed. */
	async take(): Promise<T | null> {
		const piece = this.#piece;
		this.#piece = null;
		return (await piece?.done) ?? null;
	}

	/** Stops what is under way, and waits until it has ended; what was done by then is handed over. May be called twice. */
	async stop(): Promise<T | null> {
		this.#piece?.stop.abort(new Error("nobody needs it any more"));
		return await this.take();
	}
}

interface TaskWork {
	readonly commit: string;
	readonly paths: ReadonlySet<string>;
}

/**
 * Changes so far of the tasks of a run that are worked on. Kept in memory only: it serves early warnings, and a
 * process that resumes a run learns it again from each task's next turn.
 */
export class WorkUnderWay {
	readonly #byTask = new Map<string, TaskWork>();

	note(taskId: string, work: TaskWork): void {
		this.#byTask.set(taskId, work);
	}

	/** The task has merged or ended. */
	forget(taskId: string): void {
		this.#byTask.delete(taskId);
	}

	/** Other tasks that changed one of the paths, with their last commits, in the order in which they began. */
	touching(
		taskId: string,
		paths: ReadonlySet<string>,
	): readonly { readonly taskId: string; readonly commit: string }[] {
		return [...this.#byTask].flatMap(([other, work]) =>
			other !== taskId && [...paths].some((path) => work.paths.has(path))
				? [{ taskId: other, commit: work.commit }]
				: [],
		);
	}
}
