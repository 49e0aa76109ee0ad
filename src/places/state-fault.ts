import { Fault } from "../kernel/fault.ts";

export function stateFault(directory: string, error: unknown): Fault {
	// Calls of the file system reject with system errors, which carry a code.
	const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
	const full = code === "ENOSPC" || code === "EDQUOT";
	return new Fault(`cannot write in ${directory} (${code})`, {
		code: full ? "disk-full" : "state-unwritable",
		hint: full
			? "Free some space, then resume the run."
			: "Make the directory writable, or set SPAR_CHECKOUTS for the checkouts.",
		retryable: full,
		cause: error,
	});
}
