import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { attempt } from "../kernel/attempt.ts";
import { startTimeFromStat } from "../kernel/process-start.ts";

export interface ProcessIdentity {
	readonly host: string;
	/** Changes with each start of the machine; empty where the system has none, as the namespace is. */
	readonly boot: string;
	readonly namespace: string;
	readonly pid: number;
	readonly started: string;
}

const readOrEmpty = (read: () => string): string => attempt(() => read().trim(), "");

export function processStartTime(
	pid: number,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	try {
		if (platform === "linux") return startTimeFromStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
		// Loaded here: on Linux nobody needs it.
		const { execFileSync } = process.getBuiltinModule("node:child_process");
		const shown = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], {
			encoding: "utf8",
			env: { LC_ALL: "C", TZ: "UTC" },
			stdio: ["ignore", "pipe", "ignore"],
		});
		return shown.trim() || undefined;
	} catch {
		return undefined;
	}
}

export function ownIdentity(): ProcessIdentity {
	return {
		host: hostname(),
		boot: readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
		namespace: readOrEmpty(() => readlinkSync("/proc/self/ns/pid")),
		pid: process.pid,
		started: processStartTime(process.pid) ?? "",
	};
}

export function sharesProcesses(own: ProcessIdentity, other: ProcessIdentity): boolean {
	return own.host === other.host && own.boot === other.boot && own.namespace === other.namespace;
}
