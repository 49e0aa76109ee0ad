import type { StoredEvent } from "../../trace/event.ts";

export type SqlValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, unknown>>;

export type Dialect = "sqlite" | "postgres";

/** Text with `?` or `?1` for its parameters; one for each database only where they must differ. */
export type Sql = string | Readonly<Record<Dialect, string>>;

export type Statement =
	| {
			/** `one` reads the first row, `all` reads them all, `change` is told how many rows it changed. */
			readonly kind: "one" | "all" | "change";
			readonly sql: Sql;
			readonly values: readonly SqlValue[];
	  }
	/** Sign that something changes which the scheduler of the run looks at. */
	| { readonly kind: "announce"; readonly runId: string };

export interface Reply {
	readonly rows: readonly Row[];
	readonly changes: number;
}

export const NO_REPLY: Reply = { rows: [], changes: 0 };

/**
 * Work on the database that does not care how it is run: it yields statements, is given their replies, and returns its
 * result. SQLite runs it at once (`performNow`), Postgres awaits each statement (`perform`). It is run once.
 */
export type Query<Result> = Generator<Statement, Result, Reply>;

export interface Runner {
	/** Statement by statement: for a query that reads once. */
	readonly read: <T>(query: Query<T>) => Promise<T>;
	/** All reads see the same state. */
	readonly snapshot: <T>(query: Query<T>) => Promise<T>;
	readonly change: <T>(work: () => Query<T>) => Promise<T>;
	readonly commit: (work: () => Query<readonly StoredEvent[]>) => Promise<readonly StoredEvent[]>;
	readonly pulse: () => Promise<string>;
}

export function* one(sql: Sql, ...values: readonly SqlValue[]): Query<Row | undefined> {
	const { rows } = yield { kind: "one", sql, values };
	return rows[0];
}

export function* all(sql: Sql, ...values: readonly SqlValue[]): Query<readonly Row[]> {
	const { rows } = yield { kind: "all", sql, values };
	return rows;
}

export function* change(sql: Sql, ...values: readonly SqlValue[]): Query<number> {
	const { changes } = yield { kind: "change", sql, values };
	return changes;
}

export function* announce(runId: string): Query<void> {
	yield { kind: "announce", runId };
}

// SQLite has one writer at a time.
export function locked(sql: string): Sql {
	return { sqlite: sql, postgres: `${sql} FOR UPDATE` };
}

export function performNow<Result>(
	query: Query<Result>,
	answer: (statement: Statement) => Reply,
): Result {
	let step = query.next();
	while (step.done !== true) step = query.next(answer(step.value));
	return step.value;
}

export async function perform<Result>(
	query: Query<Result>,
	answer: (statement: Statement) => Promise<Reply>,
): Promise<Result> {
	let step = query.next();
	while (step.done !== true) step = query.next(await answer(step.value));
	return step.value;
}
