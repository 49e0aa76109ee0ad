import type { RunnableConfig } from "@langchain/core/runnables";
import {
	BaseCheckpointSaver,
	type ChannelVersions,
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
	type ChannelRow,
	type CheckpointRow,
	type CheckpointScope,
	compactCheckpoints,
	deleteCheckpoints,
	insertPendingWrites,
	type PendingWriteRow,
	type StoredValue,
	selectChannel,
	selectCheckpoint,
	selectCheckpoints,
	selectPendingWrites,
	upsertCheckpoint,
} from "./checkpoints.ts";
import { requireFence } from "./leases.ts";
import type { Query } from "./query.ts";
import type { Runner } from "./records.ts";

export interface CheckpointerOptions {
	/**
	 * How many checkpoints of a thread and namespace stay, at least 1: resuming needs the last one. `"all"` keeps
	 * the history, and with it every version of every channel. Default 2.
	 */
	readonly keep?: "all" | number;
}

/** All rows of one checkpoint, read in one transaction and not deserialised yet. */
interface CheckpointRows {
	readonly row: CheckpointRow;
	readonly body: Checkpoint;
	readonly channels: readonly ChannelRow[];
	readonly writes: readonly PendingWriteRow[];
	readonly sends: readonly StoredValue[];
}

/** Narrows a list; undefined is no limit. */
interface CheckpointFilter {
	readonly limit: number | undefined;
	readonly filter: CheckpointListOptions["filter"] | undefined;
	/** Only ids that sort before it: compared here, since databases differ in how they compare texts. */
	readonly before: string | undefined;
}

const SENDS_INSIDE = 4;

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A value of the configuration when it is text; `""` is a namespace but no id. */
function configured(config: RunnableConfig, name: string): string | undefined {
	const values: Readonly<Record<string, unknown>> = config.configurable ?? {};
	const value = values[name];
	return typeof value === "string" ? value : undefined;
}

function requireThread(config: RunnableConfig): CheckpointScope {
	const thread = configured(config, "thread_id");
	if (thread === undefined) throw new Error("a checkpoint is written with a thread_id");
	return { thread, ns: configured(config, "checkpoint_ns") ?? "" };
}

const configOf = ({ thread, ns }: CheckpointScope, id: string): RunnableConfig => ({
	configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

function matches(meta: string, filter: Readonly<Record<string, unknown>> | undefined): boolean {
	// True because `put` stores metadata, an object, as JSON.
	const stored = JSON.parse(meta) as Readonly<Record<string, unknown>>;
	return Object.entries(filter ?? {}).every(
		([key, value]) =>
			Object.hasOwn(stored, key) && canonicalJson(stored[key]) === canonicalJson(value),
	);
}

function* readRows(row: CheckpointRow): Query<CheckpointRows> {
	// True because `put` stores a checkpoint without its values as JSON, and they are added in `#tuple`.
	const body = JSON.parse(row.body) as Checkpoint;
	const channels: ChannelRow[] = [];
	for (const [channel, version] of Object.entries(body.channel_versions)) {
		const stored = yield* selectChannel(row, channel, String(version));
		if (stored !== undefined) channels.push(stored);
	}
	const wantsSends = body.v < SENDS_INSIDE && row.parent !== null;
	const ofParent = wantsSends ? yield* selectPendingWrites(row, row.parent) : [];
	const writes = yield* selectPendingWrites(row, row.id);
	return {
		row,
		body,
		channels,
		writes,
		sends: ofParent.filter(({ channel }) => channel === TASKS),
	};
}

function* readOne(scope: CheckpointScope, id: string): Query<CheckpointRows | undefined> {
	const row = yield* selectCheckpoint(scope, id === "" ? undefined : id);
	return row && (yield* readRows(row));
}

function* readMany(
	search: Parameters<typeof selectCheckpoints>[0],
	{ limit, filter, before }: CheckpointFilter,
): Query<readonly CheckpointRows[]> {
	const found = (yield* selectCheckpoints(search))
		.filter(({ id, meta }) => (before === undefined || id < before) && matches(meta, filter))
		.slice(0, limit);
	const rows: CheckpointRows[] = [];
	for (const row of found) rows.push(yield* readRows(row));
	return rows;
}

function* fenced(fence: Fence, work: Query<void>): Query<void> {
	yield* requireFence(fence);
	yield* work;
}

class Checkpointer extends BaseCheckpointSaver {
	readonly #runner: Pick<Runner, "snapshot" | "change">;
	readonly #fence: Fence | null;
	readonly #keep: number | undefined;

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
		this.#keep = keep === "all" ? undefined : keep;
	}

	override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
		const thread = configured(config, "thread_id");
		if (thread === undefined) return undefined;
		const scope = { thread, ns: configured(config, "checkpoint_ns") ?? "" };
		const rows = await this.#runner.snapshot(readOne(scope, getCheckpointId(config)));
		return rows && (await this.#tuple(rows));
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
		const narrowed = { limit, filter, before: (before && getCheckpointId(before)) || undefined };
		const found = await this.#runner.snapshot(readMany(search, narrowed));
		for (const rows of found) yield await this.#tuple(rows);
	}

	override async put(
		config: RunnableConfig,
		checkpoint: Checkpoint,
		metadata: CheckpointMetadata,
		newVersions?: ChannelVersions,
	): Promise<RunnableConfig> {
		const fence = this.#requireFence();
		const scope = requireThread(config);
		const { channel_values: values, ...body } = checkpoint;
		const versions = Object.entries(newVersions ?? checkpoint.channel_versions);
		// Serialising awaits, so it comes before the transaction.
		const channels = await Promise.all(
			versions
				.filter(([channel]) => Object.hasOwn(values, channel) && values[channel] !== undefined)
				.map(async ([channel, version]) => ({
					channel,
					version: String(version),
					...(await this.#dump(values[channel])),
				})),
		);
		const row: CheckpointRow = {
			...scope,
			id: checkpoint.id,
			parent: getCheckpointId(config) || null,
			body: text((await this.#dump(body)).value),
			meta: text((await this.#dump(metadata)).value),
		};
		const keep = this.#keep;
		await this.#write(fence, function* store() {
			yield* upsertCheckpoint(row, channels);
			if (keep !== undefined) yield* compactCheckpoints(scope, keep);
		});
		return configOf(scope, checkpoint.id);
	}

	override async putWrites(
		config: RunnableConfig,
		writes: PendingWrite[],
		taskId: string,
		taskPath = "",
	): Promise<void> {
		const fence = this.#requireFence();
		const scope = requireThread(config);
		const id = getCheckpointId(config);
		if (id === "") throw new Error("writes are stored with a checkpoint_id");
		const rows = await Promise.all(
			writes.map(async ([channel, value], position) => ({
				task: taskId,
				channel,
				idx: WRITES_IDX_MAP[channel] ?? position,
				path: taskPath,
				...(await this.#dump(value)),
			})),
		);
		const replace = rows.every(({ idx }) => idx < 0);
		await this.#write(fence, () => insertPendingWrites({ ...scope, id }, rows, replace));
	}

	override async deleteThread(threadId: string): Promise<void> {
		await this.#write(this.#requireFence(), () => deleteCheckpoints(threadId));
	}

	#requireFence(): Fence {
		if (this.#fence === null) throw new Error("a checkpointer without a lease only reads");
		return this.#fence;
	}

	async #write(fence: Fence, work: () => Query<void>): Promise<void> {
		await this.#runner.change(() => fenced(fence, work()));
	}

	async #tuple({ row, body, channels, writes, sends }: CheckpointRows): Promise<CheckpointTuple> {
		// True because `put` stored just these with the same serialiser.
		const checkpoint = (await this.#load(jsonValue(row.body))) as Checkpoint;
		const metadata = (await this.#load(jsonValue(row.meta))) as CheckpointMetadata;
		const values: Record<string, unknown> = {};
		for (const stored of channels) values[stored.channel] = await this.#load(stored);
		checkpoint.channel_values = values;
		if (body.v < SENDS_INSIDE && row.parent !== null) await this.#addSends(checkpoint, sends);
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

	async #addSends(checkpoint: Checkpoint, sends: readonly StoredValue[]): Promise<void> {
		const versions = Object.values(checkpoint.channel_versions);
		checkpoint.channel_values[TASKS] = await Promise.all(sends.map((send) => this.#load(send)));
		checkpoint.channel_versions[TASKS] =
			versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
	}

	async #dump(value: unknown): Promise<StoredValue> {
		const [type, bytes] = await this.serde.dumpsTyped(value);
		return { type, value: bytes };
	}

	async #load({ type, value }: StoredValue): Promise<unknown> {
		const loaded: unknown = await this.serde.loadsTyped(type, value);
		return loaded;
	}
}

const jsonValue = (json: string): StoredValue => ({
	type: "json",
	value: new TextEncoder().encode(json),
});

/**
 * LangGraph's checkpoints in the store.
 *
 * Only changed channels are written, each version once; every write is one transaction with the fence checked
 * inside, so that a process which lost its lease fails with a `lease-lost` fault and changes nothing. A read is one
 * transaction; values are deserialised after it. The newest checkpoint is the one that was written last, whatever the clocks
 * of machines say, from which ids come. `list` with `before` compares ids.
 *
 * Retention: with `keep: 2` (the default) each put deletes what it makes superfluous, so that neither the cost nor
 * the bytes of a turn grow with the history. LangGraph resumes from the last checkpoint; the one before it is kept
 * for reading. History further back, and forks from it, need `keep: "all"`.
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
