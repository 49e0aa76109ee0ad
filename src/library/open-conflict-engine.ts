import {
	ConflictResolutionEngine,
	type ConflictResolutionOptions,
} from "../conflict/conflict-resolution-engine.ts";
import { systemClock } from "../kernel/clock.ts";
import { maskerOf } from "../places/secrets.ts";
import type { EnvironmentSource } from "../process/environment.ts";
import { requireShape, SHAPES } from "./arguments.ts";

/** Options of an engine with records of its own. */
export interface ConflictEngineOptions
	extends Omit<ConflictResolutionOptions, "records" | "masker" | "clock"> {
	/** The database that has, or gets, table `conflicts`, such as `.sparring/sparring.db`. */
	readonly file: string;
	/** Its secrets are masked in what the tie-breaker reads and in what is kept. */
	readonly env: EnvironmentSource;
}

/** An engine that keeps its records in a database. */
export interface OpenConflictEngine extends ConflictResolutionEngine {
	/** Closes the database. Idempotent. */
	close(): void;
}

/**
 * Opens an engine for disagreements that a program finds itself: the program brings the tie-breaker alone.
 *
 * @throws Fault `usage`, `state-unreadable`, `state-unwritable`, `state-too-new`, `state-too-old`
 */
export async function openConflictEngine(
	options: ConflictEngineOptions,
): Promise<OpenConflictEngine> {
	const call = "openConflictEngine";
	requireShape(call, "options", options, SHAPES.object);
	const { file, env, ...given } = options;
	requireShape(call, "file", file, SHAPES.text);
	requireShape(call, "env", env, SHAPES.object);
	requireShape(call, "tieBreaker", given.tieBreaker, SHAPES.object);
	const { openDatabase } = await import("../store/sqlite/database.ts");
	const { performOn } = await import("../store/sqlite/records.ts");
	const { insertConflictRecord } = await import("../store/queries/writes.ts");
	const db = openDatabase(file);
	const keep: ConflictResolutionOptions["records"]["keep"] = async (record) => {
		db.immediate(() => performOn(db, insertConflictRecord(record)));
	};
	const own = { records: { keep }, masker: maskerOf(env, null), clock: systemClock };
	return Object.assign(new ConflictResolutionEngine({ ...given, ...own }), {
		close: () => db.close(),
	});
}
