import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import type { Db, JobWithMetadata, PgBoss } from "pg-boss";
import { z } from "zod";
import { Fault } from "../../kernel/fault.ts";
import type { Execute, JobRequest, Jobs, QueueName, TakenJob, TaskQueue } from "../jobs.ts";

// A worker that says nothing for so long has lost its jobs.
const HEARTBEAT_SECONDS = 20;

const EXPIRE_SECONDS = 86_400;

const QUEUE = {
	heartbeatSeconds: HEARTBEAT_SECONDS,
	expireInSeconds: EXPIRE_SECONDS,
	// What ends a task for good is decided by the worker, with the reason in the task's records.
	retryLimit: 100_000,
	retryDelay: 1,
	retryBackoff: true,
	retryDelayMax: 60,
	deleteAfterSeconds: 3_600,
} as const;

const SCHEDULE = "spar.schedule";
const TASK = "spar.task.";
const ANY = ".";
const BETWEEN = "/";

// Tasks that need `gpu` and `linux` are in `spar.task.gpu/linux`.
function queueName(queue: QueueName): string {
	if (queue.kind === "schedule") return SCHEDULE;
	return `${TASK}${queue.tags.length === 0 ? ANY : queue.tags.join(BETWEEN)}`;
}

const dataShape = z.object({
	runId: z.string(),
	taskId: z.string().nullable(),
});

/** Database of the jobs: SQL outside of a transaction, and a transaction. */
export interface JobsStore {
	readonly execute: Execute;
	transaction<T>(work: (execute: Execute) => Promise<T>): Promise<T>;
	/** Schema of the jobs' tables, such as `sparring_jobs`. */
	readonly schema: string;
}

const dbOf = (execute: Execute): Db => ({
	executeSql: async (text, values) => {
		const { rows } = await execute(text, values);
		return { rows: [...rows] };
	},
});

async function jobsVersion({ execute, schema }: JobsStore): Promise<number | null> {
	const { rows } = await execute("SELECT to_regclass($1) IS NOT NULL AS stands", [
		`${schema}.version`,
	]);
	if (rows[0]?.["stands"] !== true) return null;
	const [row] = (await execute(`SELECT version FROM ${schema}.version`)).rows;
	return row === undefined ? null : Number(row["version"]);
}

const manifest = z.object({ pgboss: z.object({ schema: z.number() }) });

// pg-boss itself takes tables of a newer one for its own while it migrates, and asks for a migration ever after.
function ownVersion(): number {
	const text = readFileSync(findPackageJSON("pg-boss", import.meta.url) ?? "", "utf8");
	return manifest.parse(JSON.parse(text)).pgboss.schema;
}

/**
 * Checks that the tables of the jobs are those of this version.
 *
 * @throws Fault `store-outdated` where they are missing or older, `state-too-new` where they are newer
 */
export async function requireJobsTables(store: JobsStore): Promise<void> {
	const [found, own] = [await jobsVersion(store), ownVersion()];
	if (found === own) return;
	if (found !== null && found > own) throw tooNew(store.schema);
	throw new Fault(
		found === null
			? `the store has no tables of jobs in the schema ${store.schema}`
			: `the store has tables of jobs of an older version in the schema ${store.schema}`,
		{ code: "store-outdated", hint: "Run `spar store migrate` once, on any machine." },
	);
}

const tooNew = (schema: string): Fault =>
	new Fault(`the tables of jobs in the schema ${schema} were made by a newer Sparring`, {
		code: "state-too-new",
		hint: "Use the newer Sparring that made them, on all machines; nothing was changed.",
	});

/**
 * Makes the tables of the jobs, or brings them up to date. Harmless when repeated, also at the same time.
 *
 * @returns whether anything had to be made
 * @throws Fault `state-too-new` where a newer Sparring made them
 */
export async function migrateJobs(store: JobsStore): Promise<boolean> {
	const { execute, schema } = store;
	const before = await jobsVersion(store);
	if (before !== null && before > ownVersion()) throw tooNew(schema);
	const { PgBoss } = await import("pg-boss");
	const boss = new PgBoss({ db: dbOf(execute), schema, supervise: false, schedule: false });
	boss.on("error", () => undefined);
	await boss.start();
	await boss.createQueue(SCHEDULE, { ...QUEUE, policy: "short" });
	await boss.stop({ graceful: false });
	return before !== (await jobsVersion(store));
}

/**
 * Jobs in pg-boss, in the same database as the records.
 *
 * @param options.supervises whether this process looks after jobs whose worker has died; workers do
 * @param options.onError told of what pg-boss does by itself and could not do
 * @throws Fault as {@link requireJobsTables}
 */
export async function bossJobs(
	store: JobsStore,
	{
		supervises,
		onError,
	}: { readonly supervises: boolean; readonly onError: (error: Error) => void },
): Promise<Jobs> {
	await requireJobsTables(store);
	const { PgBoss } = await import("pg-boss");
	const boss = new PgBoss({
		db: dbOf(store.execute),
		schema: store.schema,
		migrate: false,
		supervise: supervises,
		schedule: false,
		superviseIntervalSeconds: 5,
		monitorIntervalSeconds: 5,
	});
	boss.on("error", onError);
	await boss.start();
	return new BossJobs(boss, store);
}

class BossJobs implements Jobs {
	readonly #boss: PgBoss;
	readonly #store: JobsStore;
	readonly #made = new Set([SCHEDULE]);

	constructor(boss: PgBoss, store: JobsStore) {
		this.#boss = boss;
		this.#store = store;
	}

	async send(job: JobRequest): Promise<void> {
		await this.#make(queueName(job.queue));
		await this.#send(this.#store.execute, job);
	}

	async announce(execute: Execute, runId: string): Promise<void> {
		await this.#send(execute, { queue: { kind: "schedule" }, runId, taskId: null });
	}

	async take(queue: QueueName, most: number): Promise<readonly TakenJob[]> {
		const name = queueName(queue);
		await this.#make(name);
		const jobs = await this.#boss.fetch<unknown>(name, { batchSize: most, includeMetadata: true });
		return jobs.map((job) => takenOf(queue, job));
	}

	async keep(job: TakenJob): Promise<void> {
		await this.#boss.touch(queueName(job.queue), attemptOf(job));
	}

	async done(job: TakenJob): Promise<void> {
		await this.#store.transaction(async (execute) => {
			const db = dbOf(execute);
			await this.#boss.complete(queueName(job.queue), attemptOf(job), null, { db });
			if (job.queue.kind === "task") await this.announce(execute, job.runId);
		});
	}

	async giveBack(job: TakenJob, why: string): Promise<void> {
		await this.#boss.fail(queueName(job.queue), attemptOf(job), { why });
	}

	async queues(): Promise<readonly TaskQueue[]> {
		const queues = await this.#boss.getQueues();
		return queues.flatMap(({ name }): TaskQueue[] => {
			if (!name.startsWith(TASK)) return [];
			const tags = name.slice(TASK.length);
			return [{ kind: "task", tags: tags === ANY ? [] : tags.split(BETWEEN) }];
		});
	}

	async waiting(): Promise<{ readonly jobs: number; readonly oldestSeconds: number }> {
		const { execute, schema } = this.#store;
		const { rows } = await execute(
			`SELECT count(*)::int AS jobs,
				coalesce(extract(epoch FROM now() - min(created_on)), 0)::double precision AS oldest
			FROM ${schema}.job WHERE state < 'active' AND starts_with(name, $1)`,
			[TASK],
		);
		return { jobs: Number(rows[0]?.["jobs"]), oldestSeconds: Number(rows[0]?.["oldest"]) };
	}

	async close(): Promise<void> {
		await this.#boss.stop({ graceful: false });
	}

	async #make(name: string): Promise<void> {
		if (this.#made.has(name)) return;
		await this.#boss.createQueue(name, { ...QUEUE, policy: "exclusive" });
		this.#made.add(name);
	}

	async #send(
		execute: Execute,
		{ queue, runId, taskId, afterSeconds = 0 }: JobRequest,
	): Promise<void> {
		const singletonKey = taskId === null ? runId : `${runId}/${taskId}`;
		const data = { runId, taskId };
		const db = dbOf(execute);
		await this.#boss.send(queueName(queue), data, { singletonKey, startAfter: afterSeconds, db });
	}
}

const attemptOf = ({ id, retries }: TakenJob) => ({ id, retryCount: retries });

function takenOf(queue: QueueName, { id, retryCount, data }: JobWithMetadata<unknown>): TakenJob {
	return { id, queue, retries: retryCount, ...dataShape.parse(data) };
}
