import { committer } from "../../src/drive/committer.ts";
import { FirstAlone } from "../../src/judge/first-alone.ts";
import type { GroundProblem } from "../../src/judge/ground-problems.ts";
import { isoTime } from "../../src/kernel/clock.ts";
import { randomId } from "../../src/kernel/ids.ts";
import { CallAdmission } from "../../src/loop/admission/admission.ts";
import { Ahead, type TaskContext, WorkUnderWay } from "../../src/loop/context.ts";
import { type InputMaker, runTask } from "../../src/loop/graph/run-task.ts";
import { mapCommits, mapRefs, mapTexts } from "../../src/loop/map-commits.fixture.ts";
import { nodeInput } from "../../src/loop/node-input.ts";
import { groundOf } from "../../src/loop/present-task.ts";
import { MergeQueue } from "../../src/merge/merge-queue.ts";
import { runStatusOf } from "../../src/schedule/readiness.ts";
import { runSchedule } from "../../src/schedule/run-schedule.ts";
import { runEvent } from "../../src/schedule/run-writes.ts";
import { checkpointer } from "../../src/store/queries/checkpointer.ts";
import type { Runner } from "../../src/store/queries/query.ts";
import type { Lease, TaskRecord } from "../../src/store/records.ts";
import { sqliteRunner } from "../../src/store/sqlite/records.ts";
import type { StoredEvent } from "../../src/trace/event.ts";
import type { MemoryAgents } from "./memory-agents.ts";
import { MemoryChecks, type Programs } from "./memory-checks.ts";
import type { MemoryState } from "./memory-state.ts";
import { memoryVerifier } from "./memory-verifier.ts";

/** End of a process at the moment that a scene names. */
export class Killed extends Error {}

/** All that one process has in its hands; another one after it begins with nothing of this. */
export class MemoryProcess {
	readonly #state: MemoryState;
	readonly #programs: Programs;
	readonly #agents: MemoryAgents;
	readonly #lease: Lease;
	readonly #stop = new AbortController();
	readonly #commit: TaskContext["commit"];
	readonly #shared = {
		queue: new MergeQueue(),
		underWay: new WorkUnderWay(),
		baselines: new FirstAlone(),
		setups: null,
		recorder: null,
		remoteVerifier: null,
	};
	readonly #admission: CallAdmission;
	readonly #problems: GroundProblem[];
	#isKilled = false;

	constructor(
		state: MemoryState,
		of: { programs: Programs; agents: MemoryAgents; lease: Lease; problems: GroundProblem[] },
		isEnd: (event: StoredEvent) => boolean,
	) {
		this.#state = state;
		this.#programs = of.programs;
		this.#agents = of.agents;
		this.#lease = of.lease;
		this.#problems = of.problems;
		this.#admission = new CallAdmission(state.clock);
		const end = (event: StoredEvent): void => {
			this.#isKilled ||= isEnd(event);
		};
		const drive = { lease: of.lease, masker: state.masker, onEvent: end };
		const commit = committer(state.records, drive);
		this.#commit = async (writes) => {
			this.#requireAlive();
			await commit(writes);
		};
	}

	/** A killed process works on until it has something to store. */
	#requireAlive(): void {
		if (!this.#isKilled) return;
		this.#stop.abort(new Killed());
		throw new Killed();
	}

	/** Checkpoints, as far as the process lives to write them. */
	#checkpoints(): ReturnType<typeof checkpointer> {
		const runner = sqliteRunner(this.#state.db);
		const change: Runner["change"] = async (work) => {
			this.#requireAlive();
			return await runner.change(work);
		};
		return checkpointer({ ...runner, change }, this.#lease);
	}

	async work(): Promise<void> {
		const { run, workflow, records, clock } = this.#state;
		const saver = this.#checkpoints();
		await runSchedule({
			runId: run.runId,
			workflow,
			records,
			commit: this.#commit,
			// Answers come between processes.
			pause: () => new Promise(() => undefined),
			signal: this.#stop.signal,
			stop: (reason) => this.#stop.abort(reason),
			onStopped: () => undefined,
			runTask: async ({ taskId }) => {
				const record = await records.task(run.runId, taskId);
				if (record === undefined) throw new Error(`no task ${taskId}`);
				await runTask(this.#context(record), saver, this.#input);
				this.#shared.queue.release(taskId);
			},
		});
		const tasks = await records.tasks(run.runId);
		const status = runStatusOf(tasks.map((task) => task.status));
		const timestamp = isoTime(clock.now());
		await this.#commit([
			{ kind: "run", runId: run.runId, patch: { status, endedAt: timestamp } },
			runEvent(run.runId, "run-ended", { status }, { timestamp }),
		]);
	}

	#context(record: TaskRecord): TaskContext {
		const { run, workflow, records, clock, masker, blobs, git } = this.#state;
		const task = workflow.tasks.find(({ id }) => id === record.taskId);
		if (task === undefined) throw new Error(`the workflow has no task ${record.taskId}`);
		const { branch, epoch, bound, taskId } = record;
		const prefix = `refs/sparring/${run.runId}/${taskId}/`;
		const context = {
			...this.#shared,
			run,
			workflow,
			records,
			clock,
			masker,
			blobs,
			epoch,
			task: { ...task, bound },
			subtask: null,
			admission: this.#admission,
			commit: this.#commit,
			signal: this.#stop.signal,
			places: this.#state.places(taskId),
			refs: mapRefs(git, { branch, integration: run.branch, prefix }),
			texts: mapTexts(git),
			ahead: new Ahead(this.#stop.signal),
			seat: async (name: string) => {
				const known = workflow.agents[name] ?? workflow.agents["dev"];
				if (known === undefined) throw new Error(`no agent ${name}`);
				return { agent: this.#agents.agent(), definition: { ...known, name } };
			},
			// Nobody set up a model that the workflow does not name.
			obstacle: async (name: string) => (name in workflow.agents ? null : `${name} has no key`),
			bases: {
				variant: async () => "memory",
				find: async () => undefined,
				keep: async () => undefined,
				isRedThere: async () => false,
				keepRedThere: async () => undefined,
			},
			environment: () => ({}),
			userEnvironment: () => ({}),
			preflight: async (problems: readonly GroundProblem[]) =>
				void this.#problems.push(...problems),
			newItemId: () => randomId(6),
			host: { confines: false },
		};
		// Left out is what works in a repository of git or starts processes: `#input` puts the maps in its place.
		return context as unknown as TaskContext;
	}

	/** The product's own input, with commits, checks and the verifier's tests in memory. */
	readonly #input: InputMaker = async (context, state, log) => {
		const { git } = this.#state;
		const ground = await groundOf(context, state, log);
		const checks = new MemoryChecks(ground, git, this.#programs);
		const checkout = this.#state.checkoutAt(ground.places.verifier.dir);
		return {
			...(await nodeInput(context, state, log)),
			commits: mapCommits(ground, context.task, git),
			checks: checks.port(),
			verifier: memoryVerifier(ground, { git, checkout, checks }),
		};
	};
}
