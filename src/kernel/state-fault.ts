import { Fault } from "./fault.ts";

/** Runs file operations. An error of the file system becomes a Fault that names the file. */
export async function asStateFault<T>(file: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (cause) {
		const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
		const full = code === "ENOSPC" || code === "EDQUOT";
		throw new Fault(`cannot write ${file}: ${String(cause)}`, {
			code: full ? "disk-full" : "state-unwritable",
			hint: full
				? "Free some space on that disk, then continue with `spar resume`."
				: "Make that directory writable, then continue with `spar resume`.",
			cause,
		});
	}
}
