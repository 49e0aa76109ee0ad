import type { RunnableConfig } from "@langchain/core/runnables";
import {
	BaseCheckpointSaver,
	type Checkpoint,
	type CheckpointListOptions,
	type CheckpointMetadata,
	type CheckpointTuple,
	getCheckpointId,
	maxChannelVersion,
	type PendingWrite,
	TASKS,
	WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { canonicalJson } from "../../kernel/json.ts";
import type { Fence } from "../records.ts";
import {
	type CheckpointRow,
	checkpoints,
	compactCheckpoints,
	deleteCheckpoints,
	insertPendingWrites,
	type PendingWriteRow,
	selectCheckpoints,
	selectPendingWrites,
} from "./checkpoints.ts";
import { requireFence } from "./leases.ts";
import type { Query, Runner } from "./query.ts";

export interface CheckpointerOptions {
	/** Number of checkpoints of a thread and namespace that stay, at least 1: resuming needs the last one. Default 2. */
	readonly keep?: "all" | number;
}

interface CheckpointRows {
	readonly row: CheckpointRow;
	readonly writes: readonly PendingWriteRow[];
	/** Of a protocol in which what one step sends to the next was a write of the parent; null in today's. */
	readonly sends: readonly PendingWriteRow[] | null;
}

const SENDS_INSIDE = 4;

// `""` is a namespace but no id.
function configured(config: RunnableConfig, name: string): string | undefined {
	const values: Readonly<Record<string, unknown>> = config.configurable ?? {};
	const value = values[name];
	return typeof value === "string" ? value : undefined;
}

function requireThread(config: RunnableConfig): Pick<CheckpointRow, "thread" | "ns"> {
	const thread = configured(config, "thread_id");
	if (thread === undefined) throw new Error("a checkpoint is written with a thread_id");
	return { thread, ns: configured(config, "checkpoint_ns") ?? "" };
}

const configOf = (
	{ thread, ns }: Pick<CheckpointRow, "thread" | "ns">,
	id: string,
): RunnableConfig => ({
	configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

function matches(meta: string, filter: CheckpointListOptions["filter"]): boolean {
	// True because `put` stores metadata, an object, as JSON.
	const stored = JSON.parse(meta) as Readonly<Record<string, unknown>>;
	return Object.entries(filter ?? {}).every(
		([key, value]) =>
			Object.hasOwn(stored, key) && canonicalJson(stored[key]) === canonicalJson(value),
	);
}

function* rowsOf(found: readonly CheckpointRow[]): Query<readonly CheckpointRows[]> {
	const rows: CheckpointRows[] = [];
	for (const row of found) {
		// True because `put` stores a checkpoint as JSON.
		const { v } = JSON.parse(row.body) as Checkpoint;
		const isOld = v < SENDS_INSIDE && row.parent !== null;
		const ofParent = isOld ? yield* selectPendingWrites(row, row.parent) : null;
		const sends = ofParent?.filter(({ channel }) => channel === TASKS) ?? null;
		rows.push({ row, writes: yield* selectPendingWrites(row, row.id), sends });
	}
	return rows;
}

class Checkpointer extends BaseCheckpointSaver {
	readonly #runner: Pick<Runner, "snapshot" | "change">;
	readonly #fence: Fence | null;
	readonly #keep: number;

	constructor(
		runner: Pick<Runner, "snapshot" | "change">,
		fence: Fence | null,
		{ keep = 2 }: CheckpointerOptions,
	) {
		super();
		if (keep !== "all" && !(Number.isInteger(keep) && keep >= 1)) {
			throw new Error(`keep must be "all" or a whole number of at least 1, not ${keep}`);
		}
		this.#runner = runner;
		this.#fence = fence;
		this.#keep = keep === "all" ? Number.POSITIVE_INFINITY : keep;
	}

	override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
		const thread = configured(config, "thread_id");
		if (thread === undefined) return undefined;
		const ns = configured(config, "checkpoint_ns") ?? "";
		const search = { thread, ns, id: getCheckpointId(config) || undefined };
		const [found] = await this.#runner.snapshot(
			(function* newest() {
				return yield* rowsOf(yield* selectCheckpoints(search, 1));
			})(),
		);
		return found && (await this.#tuple(found));
	}

	override async *list(
		config: RunnableConfig,
		{ limit, before, filter }: CheckpointListOptions = {},
	): AsyncGenerator<CheckpointTuple> {
		const search = {
			thread: configured(config, "thread_id"),
			ns: configured(config, "checkpoint_ns"),
			id: getCheckpointId(config) || undefined,
		};
		// Compared here, since databases differ in how they compare texts.
		const end = (before && getCheckpointId(before)) || undefined;
		const found = await this.#runner.snapshot(
			(function* narrowed() {
				const rows = yield* selectCheckpoints(search);
				const wanted = rows.filter(
					({ id, meta }) => (end === undefined || id < end) && matches(meta, filter),
				);
				return yield* rowsOf(wanted.slice(0, limit));
			})(),
		);
		for (const rows of found) yield await this.#tuple(rows);
	}

	override async put(
		config: RunnableConfig,
		checkpoint: Checkpoint,
		metadata: CheckpointMetadata,
	): Promise<RunnableConfig> {
		const scope = requireThread(config);
		const row: CheckpointRow = {
			...scope,
			id: checkpoint.id,
			parent: getCheckpointId(config) || null,
			body: await this.#json(checkpoint),
			meta: await this.#json(metadata),
		};
		const keep = this.#keep;
		await this.#write(function* store() {
			// One that is put again keeps its place in the order.
			yield* checkpoints.upsert("thread, ns, id", {}, row);
			yield* compactCheckpoints(scope, keep);
		});
		return configOf(scope, checkpoint.id);
	}

	override async putWrites(
		config: RunnableConfig,
		writes: PendingWrite[],
		taskId: string,
		taskPath = "",
	): Promise<void> {
		const scope = requireThread(config);
		const id = getCheckpointId(config);
		const rows = await Promise.all(
			writes.map(async ([channel, written], position) => {
				const [type, value] = await this.serde.dumpsTyped(written);
				const idx = WRITES_IDX_MAP[channel] ?? position;
				return { task: taskId, channel, idx, path: taskPath, type, value };
			}),
		);
		const replace = rows.every(({ idx }) => idx < 0);
		await this.#write(() => {
			if (id === "") throw new Error("writes are stored with a checkpoint_id");
			return insertPendingWrites({ ...scope, id }, rows, replace);
		});
	}

	override async deleteThread(threadId: string): Promise<void> {
		await this.#write(() => deleteCheckpoints(threadId));
	}

	async #write(work: () => Query<void>): Promise<void> {
		const fence = this.#fence;
		if (fence === null) throw new Error("a checkpointer without a lease only reads");
		await this.#runner.change(function* fenced() {
			yield* requireFence(fence);
			yield* work();
		});
	}

	async #tuple({ row, writes, sends }: CheckpointRows): Promise<CheckpointTuple> {
		// True because `put` stored just these with the same serialiser.
		const checkpoint = (await this.serde.loadsTyped("json", row.body)) as Checkpoint;
		const metadata = (await this.serde.loadsTyped("json", row.meta)) as CheckpointMetadata;
		if (sends !== null) {
			const versions = Object.values(checkpoint.channel_versions);
			checkpoint.channel_values[TASKS] = await Promise.all(sends.map((send) => this.#load(send)));
			checkpoint.channel_versions[TASKS] =
				versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
		}
		const pendingWrites = await Promise.all(
			writes.map(
				async (write): Promise<[string, string, unknown]> => [
					write.task,
					write.channel,
					await this.#load(write),
				],
			),
		);
		const parentConfig = row.parent === null ? undefined : configOf(row, row.parent);
		return {
			config: configOf(row, row.id),
			checkpoint,
			metadata,
			pendingWrites,
			...(parentConfig && { parentConfig }),
		};
	}

	async #json(value: unknown): Promise<string> {
		const [, bytes] = await this.serde.dumpsTyped(value);
		return new TextDecoder().decode(bytes);
	}

	async #load({ type, value }: PendingWriteRow): Promise<unknown> {
		const loaded: unknown = await this.serde.loadsTyped(type, value);
		return loaded;
	}
}

/**
 * LangGraph's checkpoints in the store.
 *
 * Every write is one transaction with the fence checked inside, so that a process which lost its lease fails with a
 * `lease-lost` fault and changes nothing. A read is one transaction; values are deserialised after it. A checkpoint is
 * stored whole: the state of a task is ids and counts, what grows is in the records. The newest checkpoint is the one that
 * was written last, whatever the clocks of machines say, from which ids come. `list` with `before` compares ids.
 *
 * With `keep: 2` (the default) each put deletes what it makes superfluous, so that neither the cost nor the bytes of a turn
 * grow with the history. LangGraph resumes from the last checkpoint; the one before it is kept for reading. History
 * further back, and forks from it, need `keep: "all"`.
 *
 * @param fence the lease of the run or the task; null for a reader, which refuses to write
 */
export function checkpointer(
	runner: Pick<Runner, "snapshot" | "change">,
	fence: Fence | null,
	options: CheckpointerOptions = {},
): BaseCheckpointSaver {
	return new Checkpointer(runner, fence, options);
}
