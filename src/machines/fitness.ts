import { reasonsBy, seatProblems } from "../drive/seats-preflight.ts";
import type { TakenJob } from "../schedule/jobs.ts";
import type { TaskRecord } from "../store/records.ts";
import type { Lack, LiveWorker } from "../store/workers.ts";
import { tagsOf } from "../workflow/tags-of.ts";
import { stakeholdersOf } from "../workflow/tie-breaker-of.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import type { RunGround, WorkerPlace } from "./run-ground.ts";

type Parties = Pick<Workflow, "agents" | "verification" | "tieBreaker">;

/** Agents without which a task comes to nothing; a verifier elsewhere is asked there. */
function seatsOf({ agents, verification, tieBreaker }: Parties, task: TaskDefinition) {
	const { player, pair } = task;
	const elsewhere = verification.via !== undefined;
	const asked: TaskDefinition = elsewhere ? { ...task, requiresVerification: "false" } : task;
	const arbiter = pair === undefined || tieBreaker === undefined ? [] : [tieBreaker];
	return [...new Set([player, ...stakeholdersOf({ agents, verification }, asked), ...arbiter])];
}

/** Tells whether the next step of a task is its merge, which calls no agent, so that each worker can do it. */
export const isMergedNext = (task: Pick<TaskRecord, "phase"> | undefined): boolean =>
	task?.phase === "merging";

/** Tags that a worker needs for the next step of a task. */
export const tagsOfNext = (
	workflow: Workflow,
	definition: TaskDefinition,
	task: Pick<TaskRecord, "phase">,
): readonly string[] => (isMergedNext(task) ? [] : tagsOf(workflow, definition));

/** Reason why a machine that lacks all this cannot do a task; undefined where it can. */
export function unfitFor(
	workflow: Parties,
	task: TaskDefinition,
	lacks: readonly Pick<Lack, "agent" | "why">[],
): string | undefined {
	const ofRun = lacks.find(({ agent }) => agent === null);
	if (ofRun !== undefined) return ofRun.why;
	const named = lacks.flatMap(({ agent, why }) => (agent === null ? [] : [{ agent, why }]));
	const [why] = seatsOf(workflow, task).flatMap(
		(seat) => reasonsBy(workflow.agents, named)(seat) ?? [],
	);
	return why;
}

/** Machine that has the tags of a task and cannot do it. */
export interface UnfitMachine {
	readonly machine: string;
	readonly why: string;
}

/**
 * Tells who of those that live can take a task, and why the others that have its tags cannot. Where it is merged next, its
 * agents are of no matter.
 */
export function servedBy(
	{ runId, workflow }: { readonly runId: string; readonly workflow: Parties },
	{
		task,
		tags,
		isMerged,
	}: {
		readonly task: TaskDefinition;
		readonly tags: readonly string[];
		readonly isMerged: boolean;
	},
	workers: readonly Pick<LiveWorker, "host" | "tags" | "lacks" | "draining">[],
): { readonly served: boolean; readonly unfit: readonly UnfitMachine[] } {
	const tagged = workers.filter(
		(worker) => !worker.draining && tags.every((tag) => worker.tags.includes(tag)),
	);
	const unfit = tagged.flatMap(({ host, lacks }) => {
		const ofRun = lacks.filter(
			(lack) => lack.runId === runId && (lack.agent === null || !isMerged),
		);
		const why = unfitFor(workflow, task, ofRun);
		return why === undefined ? [] : [{ machine: host, why }];
	});
	return { served: unfit.length < tagged.length, unfit };
}

/** This machine cannot do a task, for a reason that another machine may not have. */
export class Unfit extends Error {}

// A program says the same for a while; one that was installed meanwhile is soon found.
const SOUND_MS = 600_000;
const LACKING_MS = 10_000;

interface Asked {
	readonly found: Promise<readonly Pick<Lack, "agent" | "why">[]>;
	until: number;
}

const nameOf = ({ runId, taskId }: Pick<TakenJob, "runId" | "taskId">): string =>
	`${runId} ${taskId}`;

/** Looks for what this machine lacks, before it is paid for. */
export class Fitness {
	readonly #env: WorkerPlace["env"];
	readonly #asked = new Map<string, Asked>();
	#lacks: readonly Lack[] = [];
	/** Tasks that cannot be done here, by name. */
	readonly #unfit = new Map<string, { readonly runId: string; readonly why: string }>();

	constructor({ env }: Pick<WorkerPlace, "env">) {
		this.#env = env;
	}

	get lacks(): readonly Lack[] {
		return this.#lacks;
	}

	/** Notes that this machine cannot work on a run at all, or, with null, that it can. */
	ofRun(runId: string, why: string | null): void {
		const others = this.#lacks.filter((lack) => lack.runId !== runId || lack.agent !== null);
		this.#lacks = why === null ? others : [...others, { runId, agent: null, why }];
	}

	keep(runs: ReadonlySet<string>): void {
		this.#lacks = this.#lacks.filter(({ runId }) => runs.has(runId));
		for (const [name, { runId }] of this.#unfit) if (!runs.has(runId)) this.#unfit.delete(name);
	}

	isUnfit(task: Pick<TakenJob, "runId" | "taskId">): boolean {
		return this.#unfit.has(nameOf(task));
	}

	/** Notes why a task cannot be done here. @returns whether that is news */
	cannotDo(task: Pick<TakenJob, "runId" | "taskId">, why: string): boolean {
		const isNews = this.#unfit.get(nameOf(task))?.why !== why;
		this.#unfit.set(nameOf(task), { runId: task.runId, why });
		return isNews;
	}

	/** Notes that a task can be done here. @returns whether that is news */
	canDo(task: Pick<TakenJob, "runId" | "taskId">): boolean {
		return this.#unfit.delete(nameOf(task));
	}

	/**
	 * Tries what the agents of a task need here, tags of this worker first: a task whose merge was refused came without any.
	 *
	 * @throws Unfit
	 */
	async require(
		ground: RunGround,
		{
			taskId,
			tags,
			signal,
		}: {
			readonly taskId: string;
			readonly tags: readonly string[];
			readonly signal: AbortSignal;
		},
	): Promise<void> {
		const { run, workflow, masker } = ground;
		const { runId } = run;
		const task = workflow.tasks.find(({ id }) => id === taskId);
		if (task === undefined) return;
		const missing = tagsOf(workflow, task).filter((tag) => !tags.includes(tag));
		if (missing.length > 0) throw new Unfit(`this worker has no tag ${missing.join(", no ")}`);
		const seats = seatsOf(workflow, task);
		const found = await this.#lacksOf(ground, { task, seats, signal });
		const lacks = found.map(({ agent, why }) => ({ runId, agent, why: masker.mask(why) }));
		const isOfOthers = (lack: Lack): boolean =>
			lack.runId !== runId || (lack.agent !== null && !seats.includes(lack.agent));
		this.#lacks = [...this.#lacks.filter(isOfOthers), ...lacks];
		const why = unfitFor(workflow, task, lacks);
		if (why !== undefined) throw new Unfit(why);
	}

	async #lacksOf(
		{ run, workflow, repository }: RunGround,
		asked: {
			readonly task: TaskDefinition;
			readonly seats: readonly string[];
			readonly signal: AbortSignal;
		},
	): Promise<readonly Pick<Lack, "agent" | "why">[]> {
		const key = JSON.stringify([run.runId, asked.seats]);
		const known = this.#asked.get(key);
		if (known !== undefined && performance.now() < known.until) return await known.found;
		const here = { ...workflow.verification, via: undefined };
		const found = seatProblems({
			workflow: { ...workflow, tasks: [asked.task], verification: here },
			repository,
			baseCommit: run.baseCommit,
			env: this.#env,
			values: {},
			signal: asked.signal,
		});
		const entry: Asked = { found, until: performance.now() + LACKING_MS };
		this.#asked.set(key, entry);
		try {
			if ((await found).length === 0) entry.until = performance.now() + SOUND_MS;
			return await found;
		} catch (error) {
			this.#asked.delete(key);
			throw error;
		}
	}
}
