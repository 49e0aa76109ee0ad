import { Fault } from "../../kernel/fault.ts";

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
