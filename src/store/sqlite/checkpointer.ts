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
import { requireFence } from "../queries/fence.ts";
import type { Fence } from "../records.ts";
import {
	type CheckpointRow,
	type CheckpointScope,
	compactCheckpoints,
	deleteCheckpoints,
	insertPendingWrite,
	type PendingWriteRow,
	replaceChannel,
	type StoredValue,
	selectChannel,
	selectCheckpoint,
	selectCheckpoints,
	selectPendingWrites,
	upsertCheckpoint,
} from "./checkpoint-rows.ts";
import type { Database } from "./database.ts";
import { performOn } from "./perform-on.ts";

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
	readonly channels: readonly (StoredValue & { readonly channel: string })[];
	readonly writes: readonly PendingWriteRow[];
	/** Writes of the parent to the channel of sends, where the checkpoint's format wants them. */
	readonly sends: readonly StoredValue[];
}

/** From version 4 on a checkpoint holds the sends of its parent itself. */
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

class SqliteCheckpointer extends BaseCheckpointSaver {
	readonly #db: Database;
	readonly #fence: Fence | null;
	readonly #keep: number | undefined;

	constructor(db: Database, fence: Fence | null, { keep = 2 }: CheckpointerOptions) {
		super();
		if (keep !== "all" && !(Number.isInteger(keep) && keep >= 1)) {
			throw new Error(`keep must be "all" or a whole number of at least 1, not ${keep}`);
		}
		this.#db = db;
		this.#fence = fence;
		this.#keep = keep === "all" ? undefined : keep;
	}

	override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
		const thread = configured(config, "thread_id");
		if (thread === undefined) return undefined;
		const scope = { thread, ns: configured(config, "checkpoint_ns") ?? "" };
		const id = getCheckpointId(config);
		const rows = this.#db.snapshot(() => {
			const row = selectCheckpoint(this.#db, scope, id === "" ? undefined : id);
			return row && this.#readRows(row);
		});
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
			before: (before && getCheckpointId(before)) || undefined,
		};
		const found = this.#db.snapshot(() =>
			selectCheckpoints(this.#db, search)
				.filter((row) => matches(row.meta, filter))
				.slice(0, limit)
				.map((row) => this.#readRows(row)),
		);
		for (const rows of found) yield await this.#tuple(rows);
	}

	override async put(
		config: RunnableConfig,
		checkpoint: Checkpoint,
		metadata: CheckpointMetadata,
		newVersions?: ChannelVersions,
	): Promise<RunnableConfig> {
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
		this.#write(() => {
			for (const channel of channels) replaceChannel(this.#db, scope, channel);
			upsertCheckpoint(this.#db, row);
			if (this.#keep !== undefined) compactCheckpoints(this.#db, scope, this.#keep);
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
		this.#write(() => {
			for (const row of rows) insertPendingWrite(this.#db, { ...scope, id }, row, replace);
		});
	}

	override async deleteThread(threadId: string): Promise<void> {
		this.#write(() => deleteCheckpoints(this.#db, threadId));
	}

	#write(work: () => void): void {
		const fence = this.#fence;
		if (fence === null) throw new Error("a checkpointer without a lease only reads");
		this.#db.immediate(() => {
			performOn(this.#db, requireFence(fence));
			work();
		});
	}

	#readRows(row: CheckpointRow): CheckpointRows {
		// True because `put` stores a checkpoint without its values as JSON, and they are added in `#tuple`.
		const body = JSON.parse(row.body) as Checkpoint;
		const channels = Object.entries(body.channel_versions).flatMap(([channel, version]) => {
			const stored = selectChannel(this.#db, row, channel, String(version));
			return stored === undefined ? [] : [{ channel, ...stored }];
		});
		const wantsSends = body.v < SENDS_INSIDE && row.parent !== null;
		const ofParent = wantsSends ? selectPendingWrites(this.#db, row, row.parent) : [];
		return {
			row,
			body,
			channels,
			writes: selectPendingWrites(this.#db, row, row.id),
			sends: ofParent.filter(({ channel }) => channel === TASKS),
		};
	}

	async #tuple({ row, channels, writes, sends }: CheckpointRows): Promise<CheckpointTuple> {
		// True because `put` stored just this with the same serialiser.
		const body = (await this.#load({
			type: "json",
			value: new TextEncoder().encode(row.body),
		})) as Checkpoint;
		const values: Record<string, unknown> = {};
		for (const stored of channels) values[stored.channel] = await this.#load(stored);
		const checkpoint: Checkpoint = { ...body, channel_values: values };
		if (body.v < SENDS_INSIDE && row.parent !== null) await this.#addSends(checkpoint, sends);
		// True because `put` stored metadata here.
		const metadata = (await this.#load({
			type: "json",
			value: new TextEncoder().encode(row.meta),
		})) as CheckpointMetadata;
		return {
			config: configOf(row, row.id),
			checkpoint,
			metadata,
			pendingWrites: await Promise.all(
				writes.map(
					async (write): Promise<[string, string, unknown]> => [
						write.task,
						write.channel,
						await this.#load(write),
					],
				),
			),
			...(row.parent === null ? {} : { parentConfig: configOf(row, row.parent) }),
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

/**
 * LangGraph's checkpoints in the state database.
 *
 * Only changed channels are written, each version once; every call is one transaction with the fence checked
 * inside, so that a process which lost its run fails with a `lease-lost` fault and changes nothing. A read is one
 * synchronous transaction; values are deserialised after it. The newest checkpoint is the one that was written
 * last, whatever the clock says: ids come from the clock, which may be set back. `list` with `before` compares ids.
 *
 * Retention: with `keep: 2` (the default) each put deletes what it makes superfluous, so that neither the cost nor
 * the bytes of a turn grow with the history. LangGraph resumes from the last checkpoint; the one before it is kept
 * for reading. History further back, and forks from it, need `keep: "all"`.
 *
 * @param fence the run's lease; null for a reader, which refuses to write
 */
export function sqliteCheckpointer(
	db: Database,
	fence: Fence | null,
	options: CheckpointerOptions = {},
): BaseCheckpointSaver {
	return new SqliteCheckpointer(db, fence, options);
}
