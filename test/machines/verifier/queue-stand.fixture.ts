import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerifyRequest } from "../../../src/app/machines/answer-request.ts";
import { jobsStoreOf, openPostgresStore } from "../../../src/app/machines/postgres-store.ts";
import { type WorkerOptions, work } from "../../../src/app/machines/worker.ts";
import type { Store } from "../../../src/app/opened-store.ts";
import { type Places, placesOf } from "../../../src/app/places.ts";
import { type QueuePlace, queueChannel } from "../../../src/app/verifier/queue-channel.ts";
import { noMasker } from "../../../src/kernel/masking.ts";
import { migrateJobs } from "../../../src/schedule/pg-boss/boss-jobs.ts";
import { migrate } from "../../../src/store/postgres/migrate.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { run, task } from "../../../src/store/record-builders.contract.ts";
import type {
	VerificationAnswer,
	VerificationChannel,
	VerificationJob,
} from "../../../src/verification/remote-job.ts";
import type { Workflow } from "../../../src/workflow/workflow.ts";
import { serverAddress } from "../support/postgres.ts";
import { jobOf, TASK } from "./jobs.fixture.ts";

/** A verifier of the queue that works until the test ends. */
export interface Served {
	/** Jobs that it was given, in order. */
	readonly jobs: VerificationJob[];
	readonly told: string[];
	readonly stop: () => Promise<void>;
}

/** In which way a verifier is another one; by default it has one slot and no tags. */
type ServePart = Partial<Pick<WorkerOptions, "store" | "tags" | "slots">>;

/** A store with run `r1`, and who asks and verifies over it. */
export interface QueueStand {
	readonly address: string;
	readonly store: Store;
	readonly postgres: Postgres;
	/** The task's job under the newest lease. */
	readonly job: (part?: Partial<VerificationJob>) => VerificationJob;
	/** Another process takes a task over. */
	readonly takeOver: (taskId?: string) => Promise<void>;
	readonly channel: (part?: Partial<QueuePlace>) => VerificationChannel;
	readonly ask: (
		job?: VerificationJob,
		signal?: AbortSignal,
		part?: Partial<QueuePlace>,
	) => Promise<VerificationAnswer>;
	readonly serve: (verify: VerifyRequest, part?: ServePart) => Promise<Served>;
	/** Opens the store by another way, such as a proxy. */
	readonly openAt: (address: string) => Promise<Store>;
	readonly remove: () => Promise<void>;
}

const NEVER = new AbortController().signal;

/** None has tags. */
const AGENTS: Pick<Workflow, "agents"> = { agents: {} };

export async function queueStand(): Promise<QueueStand> {
	const root = mkdtempSync(join(tmpdir(), "spar-queue-"));
	const url = new URL(serverAddress());
	url.searchParams.set("schema", `queue_${randomBytes(6).toString("hex")}`);
	const address = url.href;
	await migrate(address);
	const postgres = await connectPostgres(address);
	await migrateJobs(jobsStoreOf(postgres));
	const places: Places = placesOf(join(root, "clone"), { HOME: join(root, "home") });
	const store = await openPostgresStore(places, address);
	const first = await store.leases.take("r1");
	await store.records.createRun(
		run({ runId: "r1" }),
		[TASK, "limiter"].map((taskId, position) => task({ runId: "r1", taskId, position })),
		first,
	);
	await first.release();
	const epochs = new Map<string, number>();
	const takeOver = async (taskId = TASK): Promise<void> => {
		const lease = await store.leases.take("r1", { task: taskId });
		epochs.set(taskId, lease.epoch);
		await lease.release();
	};
	for (const taskId of [TASK, "limiter"]) await takeOver(taskId);
	const machines = store.machines;
	if (machines === null) throw new Error("a Postgres is shared");
	const channel = (part: Partial<QueuePlace> = {}): VerificationChannel =>
		queueChannel({
			...machines,
			records: store.records,
			workflow: AGENTS,
			masker: noMasker,
			...part,
		});
	const job: QueueStand["job"] = (part = {}) => {
		const { request } = { ...jobOf(), ...part };
		const scope = { task: request.task.id };
		const epoch = epochs.get(request.task.id) ?? 0;
		return jobOf({ fence: { runId: "r1", scope, epoch }, ...part });
	};
	const stops: (() => Promise<void>)[] = [];
	const others: Store[] = [];
	return {
		address,
		store,
		postgres,
		job,
		takeOver,
		channel,
		ask: (asked = job(), signal = NEVER, part = {}) => channel(part).ask(asked, signal),
		serve: async (verify, part = {}) => {
			const served = serve({ store, places }, verify, part);
			stops.push(served.stop);
			return served;
		},
		openAt: async (other) => {
			const opened = await openPostgresStore(places, other);
			others.push(opened);
			return opened;
		},
		remove: async () => {
			await Promise.all(stops.map((stop) => stop()));
			for (const each of [...others, store]) await each.close();
			for (const name of [postgres.schema, `${postgres.schema}_jobs`])
				await postgres.query(`DROP SCHEMA ${name} CASCADE`);
			await postgres.close();
			rmSync(root, { recursive: true });
		},
	};
}

function serve(
	place: { readonly store: Store; readonly places: Places },
	verify: VerifyRequest,
	part: ServePart,
): Served {
	const ended = new AbortController();
	const told: string[] = [];
	const jobs: VerificationJob[] = [];
	const { machines } = part.store ?? place.store;
	if (machines === null) throw new Error("a Postgres is shared");
	const working = work({
		...place,
		machines,
		env: {},
		id: randomBytes(6).toString("hex"),
		host: "here",
		tags: [],
		slots: 1,
		takes: "verifications",
		signal: ended.signal,
		onNotice: (text) => told.push(text),
		verify: (job, signal) => {
			jobs.push(job);
			return verify(job, signal);
		},
		verifying: {
			onRequest: ({ id }) => told.push(`asked ${id}`),
			onResult: (_request, answer) => told.push(answer === null ? "handed back" : answer.kind),
			onBug: (error) => told.push(`bug ${String(error)}`),
		},
		...part,
	});
	const stop = async (): Promise<void> => {
		ended.abort(new Error("it is told to end"));
		await working;
	};
	return { jobs, told, stop };
}
