import { Fault } from "../../kernel/fault.ts";

/**
 * SQLSTATE codes and classes (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the same call
 * may succeed: lost connections, a server that starts or stops, a full one, a standby, cancelled or conflicting work.
 */
const LATER = ["08", "57P", "53300", "57014", "25P03", "25006", "40001", "40P01", "55P03"];

/** No such user, wrong password, no encryption, no such database. */
const REFUSED = ["28", "3D000"];

const FORBIDDEN = ["42501"];

const FULL = ["53100"];

const NETWORK: readonly string[] = [
	"ECONNREFUSED",
	"ECONNRESET",
	"ECONNABORTED",
	"EPIPE",
	"ETIMEDOUT",
	"EHOSTUNREACH",
	"EHOSTDOWN",
	"ENETUNREACH",
	"ENETDOWN",
	"ENOTFOUND",
	"EAI_AGAIN",
	"ENOENT",
	"ERR_STREAM_DESTROYED",
];

/** What `pg` and its pool say of a connection, in errors without a code. */
const CUT =
	/^(?:Connection terminated|Query read timeout|timeout (?:exceeded|expired)|Client (?:was closed|has encountered a connection error))/;

function codeOf(error: unknown): string | undefined {
	const code: unknown =
		typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
	return typeof code === "string" ? code : undefined;
}

const begins = (code: string, parts: readonly string[]): boolean =>
	parts.some((part) => code.startsWith(part));

/** An error that the server sent, by its five characters; undefined for all others. */
export function sqlState(error: unknown): string | undefined {
	const code = codeOf(error);
	return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.includes(code)
		? code
		: undefined;
}

/** Whether no answer came in time: the network swallows what is sent, or the server hangs. */
export function isReadTimeout(error: unknown): boolean {
	return error instanceof Error && error.message === "Query read timeout";
}

function wordsOf(error: unknown): string {
	if (error instanceof AggregateError) return wordsOf(error.errors[0]);
	return error instanceof Error ? error.message : String(error);
}

const unreachable = (shown: string, cause: unknown): Fault =>
	new Fault(`the store ${shown} did not do what it was asked: ${wordsOf(cause)}`, {
		code: "store-unreachable",
		hint: "Check that the server runs and that this machine reaches it, then try again.",
		retryable: true,
		cause,
	});

const refused = (shown: string, cause: unknown): Fault =>
	new Fault(`the store ${shown} refuses: ${wordsOf(cause)}`, {
		code: "store-refused",
		hint: "Check user, database and `sslmode` in the address, and the password in PGPASSWORD or a passfile.",
		cause,
	});

const forbidden = (shown: string, cause: unknown): Fault =>
	new Fault(`the store ${shown} does not let its user do that: ${wordsOf(cause)}`, {
		code: "store-refused",
		hint: "Grant that right to the user. `spar store migrate` needs CREATE on the database, or an owner who runs it.",
		cause,
	});

const unreadable = (cause: Error): Fault =>
	new Fault(`a file that the store's address names cannot be read: ${cause.message}`, {
		code: "usage",
		hint: "Correct `sslrootcert`, `sslcert` or `sslkey` in the address.",
		cause,
	});

/** What the system says of a file, not of a connection. */
const isOfFile = (error: Error): boolean =>
	["open", "read"].includes(String(Reflect.get(error, "syscall"))) &&
	codeOf(error) !== "ECONNRESET";

const NO_PASSWORD = /client password must be a/;

const withoutPassword = (shown: string, cause: unknown): Fault =>
	new Fault(`the store ${shown} asks for a password, and none was given`, {
		code: "store-refused",
		hint: "Set PGPASSWORD, or name a passfile with PGPASSFILE (by default ~/.pgpass), on each machine.",
		cause,
	});

const full = (shown: string, cause: unknown): Fault =>
	new Fault(`no space is left on the server of the store ${shown}`, {
		code: "disk-full",
		hint: "Free space there and run `spar resume`; everything saved so far is intact.",
		retryable: true,
		cause,
	});

/**
 * What an error of Postgres or of the way to it means for the user.
 *
 * A server that is away, cut off, too slow or busy is `store-unreachable`; one that refuses is `store-refused`; a full
 * disk is `disk-full`. Everything else is a bug in Sparring and is returned unchanged, so that
 * `throw postgresFault(error, shown)` is always right.
 *
 * @param error whatever `pg` threw
 * @param shown the address without its password
 */
export function postgresFault(error: unknown, shown: string): unknown {
	const state = sqlState(error);
	if (state !== undefined) {
		if (begins(state, REFUSED)) return refused(shown, error);
		if (begins(state, FORBIDDEN)) return forbidden(shown, error);
		if (begins(state, FULL)) return full(shown, error);
		return begins(state, LATER) ? unreachable(shown, error) : error;
	}
	const code = codeOf(error);
	const isCut =
		(code !== undefined && NETWORK.includes(code)) ||
		(error instanceof Error && CUT.test(error.message));
	return isCut ? unreachable(shown, error) : error;
}

/**
 * What an error means that came before there was a connection: all but those of the network are refusals, such as
 * those of TLS and of a password that is missing. A certificate that cannot be read is `usage`.
 */
export function connectFault(error: unknown, shown: string): unknown {
	if (error instanceof Error && NO_PASSWORD.test(error.message))
		return withoutPassword(shown, error);
	if (error instanceof Error && isOfFile(error)) return unreadable(error);
	const fault = postgresFault(error, shown);
	return fault === error && error instanceof Error ? refused(shown, error) : fault;
}
