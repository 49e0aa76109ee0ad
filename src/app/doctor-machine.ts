import type { DoctorLine } from "./doctor-line.ts";

const OLDEST_NODE = [24, 11] as const;

/** Whether this Node is new enough: 24.11 or newer. */
export function nodeLine(version: string): DoctorLine {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	const ok = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
	return {
		name: "node",
		ok,
		detail: `Node ${version}; ${OLDEST_NODE.join(".")} or newer is needed`,
		fix: ok ? null : `Install Node ${OLDEST_NODE.join(".")} or newer.`,
	};
}

/** What becomes of processes that an agent or a check leaves behind, by operating system. */
export function leftoverLine(platform: string): DoctorLine {
	const name = "leftover processes";
	if (platform === "linux") {
		return {
			name,
			ok: true,
			detail:
				"ended with their call: process group, descendants, bearers of our environment marker, and what works in its checkout; one that leaves all of these within about 50 ms may stay",
			fix: null,
		};
	}
	return {
		name,
		ok: "warn",
		detail:
			"ended with their call: process group and descendants; one that detaches itself may stay",
		fix: "Have agents and checks start no background services.",
	};
}

/** This version has no sandbox. */
export const sandboxLine: DoctorLine = {
	name: "sandbox",
	ok: "warn",
	detail: "not available yet: agents and checks run with your own rights",
	fix: "Run agents that you do not trust in a container or on a machine of their own.",
};
