import {
	ConflictResolutionEngine,
	type ConflictResolutionOptions,
} from "../conflict/conflict-resolution-engine.ts";
import { systemClock } from "../kernel/clock.ts";
import type { EnvironmentSource as Environment } from "../process/environment.ts";
import { requireText } from "./arguments.ts";
import { maskerOf } from "./secrets.ts";

/** What an engine with records of its own needs. */
export interface ConflictEngineOptions
	extends Pick<ConflictResolutionOptions, "tieBreaker" | "events"> {
	/** The database that has, or gets, table `conflicts`, such as `.sparring/sparring.db`. */
	readonly file: string;
	/** Its secrets are masked in what the tie-breaker reads and in what is kept. */
	readonly env: Environment;
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
	const { file, env, tieBreaker, events } = options;
	requireText(call, "file", file);
	const { openDatabase } = await import("../store/sqlite/database.ts");
	const { conflictRecords } = await import("../store/sqlite/conflict-records.ts");
	const db = openDatabase(file);
	const engine = new ConflictResolutionEngine({
		tieBreaker,
		records: conflictRecords(db),
		masker: maskerOf(env, null),
		clock: systemClock,
		...(events === undefined ? {} : { events }),
	});
	return Object.assign(engine, { close: () => db.close() });
}
