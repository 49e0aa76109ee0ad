import type { RunEvent } from "./run-event.ts";

type Checked = Extract<RunEvent, { type: "integrity-checked" }>["data"];

/** What the tamper wall found, one text each: what blocks, what is suspicious, what the task allows, and notes. */
export function wallTexts({
	violations,
	suspicions = [],
	allowed = [],
	notes,
}: Omit<Checked, "status">): string[] {
	return [
		...violations,
		...suspicions.map(({ id, file, line, text }) => {
			const place = line === null ? file : `${file}:${line}`;
			return `suspicion ${id}: ${place}: ${text}`;
		}),
		...allowed.map(({ path, change, reason }) => `allowed: ${change} of ${path} (${reason})`),
		...notes,
	];
}
