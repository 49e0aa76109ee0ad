import { constants } from "node:os";
import type { ProcessResult } from "../process.ts";

/** Signals that end programs. Others, such as SIGCHLD, end none, and their codes are a program's own. */
const FATAL: readonly NodeJS.Signals[] = [
	...(["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS"] as const),
	...(["SIGFPE", "SIGKILL", "SIGSEGV", "SIGPIPE", "SIGALRM", "SIGTERM"] as const),
	...(["SIGXCPU", "SIGXFSZ", "SIGSYS"] as const),
];

const BY_EXIT_CODE: ReadonlyMap<number, string> = new Map(
	FATAL.map((name) => [128 + constants.signals[name], name]),
);

/**
 * How a program ended that shells and a process namespace stand around: these turn an end by a signal into exit code
 * 128 plus its number, and here it is turned back. A program that ends itself with such a code is taken for one that
 * was ended by the signal.
 *
 * @example exit code 137 is signal `"SIGKILL"`; 1, 127, 145 and 255 stay exit codes
 */
export function unwrapExit(result: ProcessResult): ProcessResult {
	if (result.exitCode === null) return result;
	const signal = BY_EXIT_CODE.get(result.exitCode);
	return signal === undefined ? result : { ...result, exitCode: null, signal };
}
