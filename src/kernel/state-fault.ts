import { Fault } from "./fault.ts";
import { systemCode } from "./system-code.ts";

/** Fault of a file or directory that the file system does not let Sparring write: a full disk, or an unwritable place. */
export function stateFault(path: string, error: unknown): Fault {
	const code = systemCode(error);
	const full = code === "ENOSPC" || code === "EDQUOT";
	return new Fault(`cannot write in ${path} (${code})`, {
		code: full ? "disk-full" : "state-unwritable",
		hint: full
			? "Free some space, then try again."
			: "Make the directory writable, or set SPAR_CHECKOUTS for the checkouts.",
		retryable: full,
		cause: error,
	});
}

/** Runs file operations; an error of them becomes a `stateFault`. */
export async function asStateFault<T>(path: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw stateFault(path, error);
	}
}
