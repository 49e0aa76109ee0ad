import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
	DatabaseSync,
	type SQLInputValue,
	type SQLOutputValue,
	type StatementSync,
} from "node:sqlite";
import { monotonicNow } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { createSchema, schemaKind } from "./schema.ts";

type Trouble = "unwritable" | "full" | "unreadable" | "locked";

const TROUBLES = {
	unwritable: {
		text: (file: string, why: string) => `the state database ${file} cannot be written: ${why}`,
		code: "state-unwritable",
		hint: "Make the file and its directory writable, or remove what blocks the path.",
		retryable: false,
	},
	full: {
		text: (file: string) => `no space is left to write the state database ${file}`,
		code: "disk-full",
		hint: "Free space on that disk and run `spar resume`; everything saved so far is intact.",
		retryable: true,
	},
	unreadable: {
		text: (file: string) =>
			`the file ${file} is damaged or not a SQLite database; it was not changed`,
		code: "state-unreadable",
		hint: "Move it away together with its -wal and -shm files, or restore a backup.",
		retryable: false,
	},
	locked: {
		text: (file: string) =>
			`another process kept the state database ${file} locked for more than 10 s`,
		code: "state-unwritable",
		hint: "Wait until the other process is done, then try again.",
		retryable: true,
	},
} as const;

const BUSY = 5;

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): the low byte of `errcode`. */
const RESULTS: ReadonlyMap<number, Trouble> = new Map([
	[3, "unwritable"],
	[BUSY, "locked"],
	[8, "unwritable"],
	[10, "unwritable"],
	[11, "unreadable"],
	[13, "full"],
	[14, "unwritable"],
	[26, "unreadable"],
]);

// SQLITE_IOERR_SHMSIZE: the shared memory file beside the database could not be grown.
const IO_ERROR_SHM_SIZE = 4874;

const UNWRITABLE = /^(?:EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|EIO)$/;
const FULL = /^(?:ENOSPC|EDQUOT)$/;

function property(error: unknown, name: string): unknown {
	return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

function troubleOf(error: unknown): Trouble | undefined {
	const errno = String(property(error, "code"));
	if (FULL.test(errno)) return "full";
	if (UNWRITABLE.test(errno)) return "unwritable";
	const extended = property(error, "errcode");
	if (errno !== "ERR_SQLITE_ERROR" || typeof extended !== "number") return undefined;
	return extended === IO_ERROR_SHM_SIZE ? "full" : RESULTS.get(extended & 0xff);
}

/**
 * An error of SQLite or of the file system as the user's trouble; what is none is a bug in Sparring, and returned unchanged.
 *
 * @param file the database, as people should see it
 */
export function databaseFault(error: unknown, file: string): unknown {
	const trouble = troubleOf(error);
	if (trouble === undefined) return error;
	const { text, ...rest } = TROUBLES[trouble];
	return new Fault(text(file, String(property(error, "message"))), { ...rest, cause: error });
}

export function isBusy(error: unknown): boolean {
	const extended = property(error, "errcode");
	return typeof extended === "number" && (extended & 0xff) === BUSY;
}

/** A row as SQLite gives it: column names to values. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

const BUSY_MS = 10_000;

// Unlike the recursive `mkdir`, it ends where a file system creates nothing, such as /proc.
function makeDirectory(directory: string): void {
	if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
	const parent = dirname(directory);
	if (parent !== directory) makeDirectory(parent);
	try {
		mkdirSync(directory);
	} catch (error) {
		// Another process may have made it in between.
		if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
	}
}

/**
 * A connection to the state database. Every call is synchronous; every error that a user can cause comes as a
 * `Fault` (see `databaseFault`). Statements are prepared once per text.
 */
class SqliteDatabase {
	/** Path as it was given. */
	readonly file: string;
	readonly #connection: DatabaseSync;
	/** Undefined while the file is being opened, and for what is no file, such as `:memory:`. */
	readonly #opened: string | undefined;
	readonly #statements = new Map<string, StatementSync>();
	#isClosed = false;

	constructor(file: string, readOnly: boolean) {
		this.file = file;
		this.#connection = this.#guard(() => {
			if (!readOnly) makeDirectory(dirname(file));
			return new DatabaseSync(file, {
				readOnly,
				timeout: BUSY_MS,
				enableForeignKeyConstraints: true,
			});
		});
		this.#opened = identityOf(file);
	}

	/** The first row, or undefined. */
	get(sql: string, ...values: SQLInputValue[]): Row | undefined {
		const row = this.#guard(() => this.#prepare(sql).get(...values));
		this.requireFile();
		return row;
	}

	all(sql: string, ...values: SQLInputValue[]): readonly Row[] {
		const rows = this.#guard(() => this.#prepare(sql).all(...values));
		this.requireFile();
		return rows;
	}

	/** @returns how many rows were changed */
	run(sql: string, ...values: SQLInputValue[]): { changes: number } {
		const result = this.#guard(() => this.#prepare(sql).run(...values));
		return { changes: Number(result.changes) };
	}

	/** Runs several statements that take no values. */
	exec(sql: string): void {
		this.#guard(() => this.#connection.exec(sql));
	}

	/** One write transaction: all of `work` or, when it throws, nothing. Calls must not be nested. */
	immediate<T>(work: () => T): T {
		return this.#transaction("BEGIN IMMEDIATE", work);
	}

	/** One read transaction: all reads in `work` see the same state. `work` must not await. */
	snapshot<T>(work: () => T): T {
		return this.#transaction("BEGIN", work);
	}

	/**
	 * Looks whether the file still stands at its path, as reads and commits do too: SQLite goes on writing into a file that was
	 * deleted or replaced, and every commit seems to succeed.
	 *
	 * @throws Fault `state-lost` when it was deleted or replaced
	 */
	requireFile(): void {
		if (this.#opened === undefined) return;
		const now = identityOf(this.file);
		if (now !== this.#opened)
			throw stateLost(this.file, now === undefined ? "deleted" : "replaced");
	}

	/** Idempotent. Whoever still uses it gets a Fault `usage`. */
	close(): void {
		this.#isClosed = true;
		if (this.#connection.isOpen) this.#connection.close();
	}

	#transaction<T>(begin: string, work: () => T): T {
		this.exec(begin);
		try {
			const result = work();
			this.exec("COMMIT");
			// Before the commit is believed: into a deleted file it succeeds as well.
			this.requireFile();
			return result;
		} catch (error) {
			// Some errors, a full disk among them, have rolled back already.
			if (this.#connection.isTransaction) this.exec("ROLLBACK");
			throw error;
		}
	}

	#prepare(sql: string): StatementSync {
		const known = this.#statements.get(sql);
		if (known !== undefined) return known;
		const statement = this.#connection.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}

	#guard<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			// What SQLite complains of may only be a consequence.
			this.requireFile();
			throw this.#isClosed ? closed(this.file) : databaseFault(error, this.file);
		}
	}
}

/** Tests stand in for it: its private fields do not count. */
export type Database = Pick<SqliteDatabase, keyof SqliteDatabase>;

const closed = (file: string): Fault =>
	new Fault(`the state database ${file} was closed while it was in use`, {
		code: "usage",
		hint: "Call close() once all calls have settled.",
	});

function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

function stateLost(path: string, how: "deleted" | "replaced"): Fault {
	return new Fault(
		`the state database ${path} was ${how} while it was open; what was written since is lost`,
		{
			code: "state-lost",
			hint: "The branches of its runs are still in the repository: see `git branch --list 'sparring/*'`. Start again with `spar run`.",
		},
	);
}

// Blocks the thread: opening is synchronous, and short.
function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// The change to WAL may fail at once instead of waiting for the lock
// (https://sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
function useWal(db: Database): void {
	const giveUpAt = monotonicNow() + BUSY_MS;
	for (;;) {
		try {
			db.exec("PRAGMA journal_mode = WAL");
			return;
		} catch (error) {
			const cause = error instanceof Fault ? error.cause : error;
			if (!isBusy(cause) || monotonicNow() >= giveUpAt) throw error;
			pause(20);
		}
	}
}

function requireReadable(db: Database): void {
	const kind = schemaKind(db);
	if (kind === "newer")
		throw new Fault(`the state database ${db.file} was written by a newer Sparring`, {
			code: "state-too-new",
			hint: "Use the newer Sparring that wrote it; nothing was changed.",
		});
	if (kind === "other")
		throw new Fault(
			`the state database ${db.file} was written by an older Sparring or another program`,
			{
				code: "state-too-old",
				hint: "Run `spar prune` to move it aside (nothing is deleted), or work in another clone.",
			},
		);
}

function prepareForWriting(db: Database): void {
	requireReadable(db);
	useWal(db);
	db.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000");
	createSchema(db);
	// Another process, of a newer version, may have made its tables in between.
	requireReadable(db);
}

function prepareForReading(db: Database): void {
	requireReadable(db);
	if (schemaKind(db) === "empty") openDatabase(db.file).close();
}

/**
 * Moves a database that `openDatabase` refuses as `state-too-old` to a name beside it, so that a new one can be made.
 *
 * @returns the new path; null when there is no such database
 * @throws Fault `state-unwritable` while another process uses it
 */
export function setAside(file: string): string | null {
	if (!existsSync(file)) return null;
	const db = new SqliteDatabase(file, false);
	try {
		if (schemaKind(db) !== "other") return null;
		// What the files beside it hold comes into it, so that one file is all there is to move.
		db.exec("PRAGMA journal_mode = DELETE");
	} finally {
		db.close();
	}
	let aside = `${file}.old`;
	for (let count = 2; existsSync(aside); count += 1) aside = `${file}.old-${count}`;
	renameSync(file, aside);
	return aside;
}

/**
 * Opens the state database of a repository and creates it with its directory where it is missing: WAL, every commit
 * synced, foreign keys, 10 s of waiting for a lock. With `readOnly` no file is created.
 *
 * @throws Fault `state-unwritable` (no permission, read-only, or something else in the way), `disk-full`,
 * `state-unreadable` (damaged, no database, or missing with `readOnly`), `state-too-new`, `state-too-old`
 */
export function openDatabase(
	file: string,
	options: { readonly readOnly?: boolean } = {},
): Database {
	const readOnly = options.readOnly === true;
	if (readOnly && !existsSync(file)) {
		throw new Fault(`there is no state database at ${file}`, {
			code: "state-unreadable",
			hint: "Start a run with `spar run` first.",
		});
	}
	const db = new SqliteDatabase(file, readOnly);
	try {
		if (readOnly) prepareForReading(db);
		else prepareForWriting(db);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}
