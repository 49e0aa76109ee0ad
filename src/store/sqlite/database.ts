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

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): the low byte of `errcode`. */
const RESULT = {
	perm: 3,
	busy: 5,
	readOnly: 8,
	ioError: 10,
	corrupt: 11,
	full: 13,
	cannotOpen: 14,
	notADatabase: 26,
} as const;

/** SQLITE_IOERR_SHMSIZE: the shared memory file beside the database could not be grown. */
const IO_ERROR_SHM_SIZE = 4874;

const UNWRITABLE_ERRNO: readonly string[] = [
	"EACCES",
	"EPERM",
	"EROFS",
	"ENOTDIR",
	"EEXIST",
	"ENOENT",
	"EIO",
];
const FULL_ERRNO: readonly string[] = ["ENOSPC", "EDQUOT"];

function property(error: unknown, name: string): unknown {
	return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

const unwritable = (file: string, cause: unknown): Fault =>
	new Fault(`the state database ${file} cannot be written: ${String(property(cause, "message"))}`, {
		code: "state-unwritable",
		hint: "Make the file and its directory writable, or remove what blocks the path.",
		cause,
	});

const full = (file: string, cause: unknown): Fault =>
	new Fault(`no space is left to write the state database ${file}`, {
		code: "disk-full",
		hint: "Free space on that disk and run `spar resume`; everything saved so far is intact.",
		retryable: true,
		cause,
	});

const unreadable = (file: string, cause: unknown): Fault =>
	new Fault(`the file ${file} is damaged or not a SQLite database; it was not changed`, {
		code: "state-unreadable",
		hint: "Move it away together with its -wal and -shm files, or restore a backup.",
		cause,
	});

const locked = (file: string, cause: unknown): Fault =>
	new Fault(`another process kept the state database ${file} locked for more than 10 s`, {
		code: "state-unwritable",
		hint: "Wait until the other process is done, then try again.",
		retryable: true,
		cause,
	});

/**
 * What an error of SQLite or of the file system means for the user.
 *
 * A full disk is `disk-full`; a place that cannot be written and a lock that outlasts the 10 s wait are
 * `state-unwritable`; a file that is damaged or no database is `state-unreadable`. Everything else is a
 * bug in Sparring and is returned unchanged, so that `throw databaseFault(error, file)` is always right.
 *
 * @param error whatever `node:sqlite` or `node:fs` threw
 * @param file the database, as people should see it
 */
export function databaseFault(error: unknown, file: string): unknown {
	const errno = property(error, "code");
	if (typeof errno === "string" && FULL_ERRNO.includes(errno)) return full(file, error);
	if (typeof errno === "string" && UNWRITABLE_ERRNO.includes(errno)) return unwritable(file, error);
	const extended = property(error, "errcode");
	if (errno !== "ERR_SQLITE_ERROR" || typeof extended !== "number") return error;
	if (extended === IO_ERROR_SHM_SIZE) return full(file, error);
	switch (extended & 0xff) {
		case RESULT.full:
			return full(file, error);
		case RESULT.busy:
			return locked(file, error);
		case RESULT.perm:
		case RESULT.readOnly:
		case RESULT.ioError:
		case RESULT.cannotOpen:
			return unwritable(file, error);
		case RESULT.corrupt:
		case RESULT.notADatabase:
			return unreadable(file, error);
		default:
			return error;
	}
}

/** Whether an error of SQLite says that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
	const extended = property(error, "errcode");
	return typeof extended === "number" && (extended & 0xff) === RESULT.busy;
}

/** A row as SQLite gives it: column names to values. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** How long a statement waits for the lock of another process before it fails. */
const BUSY_MS = 10_000;

/**
 * A connection to the state database. Every call is synchronous; every error that a user can cause comes as a
 * `Fault` (see `databaseFault`). Statements are prepared once per text.
 */
export interface Database {
	/** Path as it was given. */
	readonly file: string;
	/** The first row, or undefined. */
	get(sql: string, ...values: SQLInputValue[]): Row | undefined;
	all(sql: string, ...values: SQLInputValue[]): readonly Row[];
	/** @returns how many rows were changed */
	run(sql: string, ...values: SQLInputValue[]): { readonly changes: number };
	/** Runs several statements that take no values. */
	exec(sql: string): void;
	/** One write transaction: all of `work` or, when it throws, nothing. Calls must not be nested. */
	immediate<T>(work: () => T): T;
	/** One read transaction: all reads in `work` see the same state. `work` must not await. */
	snapshot<T>(work: () => T): T;
	/**
	 * Looks whether the file still stands at its path, as reads and commits do too: SQLite goes on writing into a file that was
	 * deleted or replaced, and every commit seems to succeed.
	 *
	 * @throws Fault `state-lost` when it was deleted or replaced
	 */
	requireFile(): void;
	/** Idempotent. Whoever still uses it gets a Fault `usage`. */
	close(): void;
}

/** Unlike the recursive `mkdir`, ends where a file system creates nothing, such as /proc. */
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

class SqliteDatabase implements Database {
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

	run(sql: string, ...values: SQLInputValue[]): { changes: number } {
		const result = this.#guard(() => this.#prepare(sql).run(...values));
		return { changes: Number(result.changes) };
	}

	exec(sql: string): void {
		this.#guard(() => this.#connection.exec(sql));
	}

	immediate<T>(work: () => T): T {
		return this.#transaction("BEGIN IMMEDIATE", work);
	}

	snapshot<T>(work: () => T): T {
		return this.#transaction("BEGIN", work);
	}

	requireFile(): void {
		if (this.#opened === undefined) return;
		const now = identityOf(this.file);
		if (now !== this.#opened)
			throw stateLost(this.file, now === undefined ? "deleted" : "replaced");
	}

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

/** Blocks the thread: opening is synchronous, and short. */
function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * The change to WAL may fail at once instead of waiting for the lock
 * (https://sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
 */
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
