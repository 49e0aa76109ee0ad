import type { RunnableConfig } from "@langchain/core/runnables";
import {
	BaseCheckpointSaver,
	type ChannelVersions,
	type Checkpoint,
	type CheckpointListOptions,
	type CheckpointMetadata,
	type CheckpointTuple,
	type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { Fence } from "../records.ts";
import { assertFence } from "./fence.ts";
import { loadSaver, type SaverClass, type SaverPool } from "./load-saver.ts";
import type { Postgres, PostgresClient, PostgresSession } from "./postgres.ts";

export interface PostgresCheckpointerOptions {
	/**
	 * `"last"` (the default) keeps the checkpoint of a thread and namespace that was written last: resuming needs no other
	 * one. `"all"` keeps the history, and with it every version of every channel.
	 */
	readonly keep?: "all" | "last";
}

/** What a write does in its transaction besides LangGraph's own statements. */
interface WriteHooks {
	readonly afterBegin: (client: PostgresClient) => Promise<void>;
	readonly beforeCommit?: (client: PostgresClient) => Promise<void>;
}

/** A connection whose transactions are hooked into. */
function hooked(session: PostgresSession, hooks: WriteHooks): PostgresSession {
	return {
		query: async (sql, values) => {
			if (sql === "COMMIT") await hooks.beforeCommit?.(session);
			const outcome = await session.query(sql, values);
			if (sql === "BEGIN") await hooks.afterBegin(session);
			return outcome;
		},
		release: () => session.release(),
	};
}

/** LangGraph's reads go through the pool alone, and all its writes through a connection, from BEGIN to COMMIT. */
function readingPool(postgres: Postgres): SaverPool {
	return {
		query: (sql, values) => postgres.query(sql, values),
		connect: async () => {
			throw new Error("a checkpointer without a lease only reads");
		},
	};
}

function writingPool(postgres: Postgres, hooks: WriteHooks): SaverPool {
	return {
		query: async (sql) => {
			throw new Error(`a write of a checkpoint outside a transaction: ${sql}`);
		},
		connect: async () => hooked(await postgres.session(), hooks),
	};
}

/** Deletes all but one checkpoint of a thread and namespace, with their writes, and the channel values it does not need. */
async function keepOnly(client: PostgresClient, key: readonly string[]): Promise<void> {
	const ofOthers = "WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id <> $3";
	await client.query(`DELETE FROM checkpoint_writes ${ofOthers}`, key);
	await client.query(`DELETE FROM checkpoints ${ofOthers}`, key);
	await client.query(
		`DELETE FROM checkpoint_blobs WHERE thread_id = $1 AND checkpoint_ns = $2
			AND (channel, version) NOT IN (
				SELECT needed.key, needed.value FROM checkpoints,
					jsonb_each_text(checkpoint -> 'channel_versions') AS needed
				WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id = $3)`,
		key,
	);
}

/** A value of the configuration when it is text. */
function configured(config: RunnableConfig, name: string): string {
	const values: Readonly<Record<string, unknown>> = config.configurable ?? {};
	const value = values[name];
	return typeof value === "string" ? value : "";
}

class PostgresCheckpointer extends BaseCheckpointSaver {
	readonly #postgres: Postgres;
	readonly #saver: SaverClass;
	readonly #fence: Fence | null;
	readonly #keep: "all" | "last";
	readonly #reader: BaseCheckpointSaver;

	constructor(
		postgres: Postgres,
		saver: SaverClass,
		fence: Fence | null,
		keep: "all" | "last" = "last",
	) {
		super();
		this.#postgres = postgres;
		this.#saver = saver;
		this.#fence = fence;
		this.#keep = keep;
		this.#reader = this.#on(readingPool(postgres));
	}

	override getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
		return this.#reader.getTuple(config);
	}

	override list(
		config: RunnableConfig,
		options?: CheckpointListOptions,
	): AsyncGenerator<CheckpointTuple> {
		return this.#reader.list(config, options);
	}

	override async put(
		config: RunnableConfig,
		checkpoint: Checkpoint,
		metadata: CheckpointMetadata,
		newVersions: ChannelVersions,
	): Promise<RunnableConfig> {
		const key = [configured(config, "thread_id"), configured(config, "checkpoint_ns")];
		const writer = this.#writer((client) => keepOnly(client, [...key, checkpoint.id]));
		return await writer.put(config, checkpoint, metadata, newVersions);
	}

	override async putWrites(
		config: RunnableConfig,
		writes: PendingWrite[],
		taskId: string,
	): Promise<void> {
		await this.#writer().putWrites(config, writes, taskId);
	}

	override async deleteThread(threadId: string): Promise<void> {
		await this.#writer().deleteThread(threadId);
	}

	/** LangGraph's checkpointer for one write. */
	#writer(trim?: (client: PostgresClient) => Promise<void>): BaseCheckpointSaver {
		const fence = this.#fence;
		if (fence === null) return this.#reader;
		const afterBegin = (client: PostgresClient): Promise<void> => assertFence(client, fence);
		const hooks =
			trim === undefined || this.#keep === "all"
				? { afterBegin }
				: { afterBegin, beforeCommit: trim };
		return this.#on(writingPool(this.#postgres, hooks));
	}

	#on(pool: SaverPool): BaseCheckpointSaver {
		return new this.#saver(pool, this.serde, { schema: this.#postgres.schema });
	}
}

/**
 * LangGraph's checkpoints in Postgres, by LangGraph's own checkpointer.
 *
 * Each write is one transaction with the fence checked inside, so that a process that lost its lease fails with a
 * `lease-lost` fault and changes nothing.
 *
 * Retention: a put deletes what came before it, so that neither the cost nor the bytes of a turn grow with the history.
 * Not even the one before stays: LangGraph's checkpointer takes the greatest id for the newest, and ids come from the
 * clock of the machine that wrote them. A task that moves to a machine whose clock is behind would go on from an old
 * checkpoint. History and forks need `keep: "all"`, and one clock.
 *
 * @param fence the lease of the run or the task; null for a reader, which refuses to write
 * @throws Fault `program-missing` without LangGraph's package
 */
export async function postgresCheckpointer(
	postgres: Postgres,
	fence: Fence | null,
	{ keep }: PostgresCheckpointerOptions = {},
): Promise<BaseCheckpointSaver> {
	return new PostgresCheckpointer(postgres, await loadSaver(), fence, keep);
}
