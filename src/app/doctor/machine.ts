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
