import { Fault } from "../../kernel/fault.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html. Unreachable is that after which the same call may
// succeed: lost connections, a server that starts or stops, a full one, a standby, cancelled or conflicting work.
const STATES = [
	["refused", ["28", "3D000"]],
	["forbidden", ["42501"]],
	["full", ["53100"]],
	["unreachable", ["08", "57P", "53300", "57014", "25P03", "25006", "40001", "40P01", "55P03"]],
] as const;

const NETWORK: readonly string[] = (
	"ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN " +
	"ENOTFOUND EAI_AGAIN ENOENT ERR_STREAM_DESTROYED"
).split(" ");

// Errors of `pg` and its pool that have no code.
const CUT =
	/^(?:Connection terminated|Query read timeout|timeout (?:exceeded|expired)|Client (?:was closed|has encountered a connection error))/;

function codeOf(error: unknown): string | undefined {
	const code: unknown =
		typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
	return typeof code === "string" ? code : undefined;
}

export function sqlState(error: unknown): string | undefined {
	const code = codeOf(error);
	return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.includes(code)
		? code
		: undefined;
}

// The network swallows what is sent, or the server hangs.
export function isReadTimeout(error: unknown): boolean {
	return error instanceof Error && error.message === "Query read timeout";
}

function wordsOf(error: unknown): string {
	if (error instanceof AggregateError) return wordsOf(error.errors[0]);
	return error instanceof Error ? error.message : String(error);
}

const TROUBLES = {
	unreachable: {
		text: (shown: string, why: string) => `the store ${shown} did not do what it was asked: ${why}`,
		code: "store-unreachable",
		hint: "Check that the server runs and that this machine reaches it, then try again.",
		retryable: true,
	},
	refused: {
		text: (shown: string, why: string) => `the store ${shown} refuses: ${why}`,
		code: "store-refused",
		hint: "Check user, database and `sslmode` in the address, and the password in PGPASSWORD or a passfile.",
		retryable: false,
	},
	forbidden: {
		text: (shown: string, why: string) =>
			`the store ${shown} does not let its user do that: ${why}`,
		code: "store-refused",
		hint: "Grant that right to the user. `spar store migrate` needs CREATE on the database, or an owner who runs it.",
		retryable: false,
	},
	withoutPassword: {
		text: (shown: string) => `the store ${shown} asks for a password, and none was given`,
		code: "store-refused",
		hint: "Set PGPASSWORD, or name a passfile with PGPASSFILE (by default ~/.pgpass), on each machine.",
		retryable: false,
	},
	unreadable: {
		text: (_shown: string, why: string) =>
			`a file that the store's address names cannot be read: ${why}`,
		code: "usage",
		hint: "Correct `sslrootcert`, `sslcert` or `sslkey` in the address.",
		retryable: false,
	},
	full: {
		text: (shown: string) => `no space is left on the server of the store ${shown}`,
		code: "disk-full",
		hint: "Free space there and run `spar resume`; everything saved so far is intact.",
		retryable: true,
	},
} as const;

function faultOf(trouble: keyof typeof TROUBLES, shown: string, cause: unknown): Fault {
	const { text, ...rest } = TROUBLES[trouble];
	return new Fault(text(shown, wordsOf(cause)), { ...rest, cause });
}

const isOfFile = (error: Error): boolean =>
	["open", "read"].includes(String(Reflect.get(error, "syscall"))) &&
	codeOf(error) !== "ECONNRESET";

const NO_PASSWORD = /client password must be a/;

/**
 * An error of Postgres or of the way to it as the user's trouble; what is none is a bug in Sparring, and returned
 * unchanged.
 */
export function postgresFault(error: unknown, shown: string): unknown {
	const state = sqlState(error);
	if (state !== undefined) {
		const [trouble] =
			STATES.find(([, parts]) => parts.some((part) => state.startsWith(part))) ?? [];
		return trouble === undefined ? error : faultOf(trouble, shown, error);
	}
	const isCut =
		NETWORK.includes(codeOf(error) ?? "") || (error instanceof Error && CUT.test(error.message));
	return isCut ? faultOf("unreachable", shown, error) : error;
}

// Before there was a connection, all errors but those of the network are refusals, such as those of TLS.
export function connectFault(error: unknown, shown: string): unknown {
	if (!(error instanceof Error)) return error;
	if (NO_PASSWORD.test(error.message)) return faultOf("withoutPassword", shown, error);
	if (isOfFile(error)) return faultOf("unreadable", shown, error);
	const fault = postgresFault(error, shown);
	return fault === error ? faultOf("refused", shown, error) : fault;
}
