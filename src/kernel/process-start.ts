import { readFileSync } from "node:fs";
import { attempt } from "./attempt.ts";

/**
 * Field 22 of `/proc/<pid>/stat`, in clock ticks after the start of the machine; undefined for a process that only
 * waits for its parent to notice its end. Read from behind the last bracket, as a program's name may hold any
 * character.
 */
export function startTimeFromStat(stat: string): string | undefined {
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	// The first of these is field 3, the state: Z is a zombie, X is dead.
	const [state] = fields;
	return state === "Z" || state === "X" ? undefined : fields[19];
}

/** The start time in a file such as `/proc/7/stat`; `"0"` where there is none, as outside Linux. */
export const startTimeIn = (file: string): string =>
	attempt(() => startTimeFromStat(readFileSync(file, "utf8")), undefined) ?? "0";

/** Begin of this process, in clock ticks after the start of the machine: digits. `"0"` outside Linux. */
export const OWN_START: string = startTimeIn("/proc/self/stat");
