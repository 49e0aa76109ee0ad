import { expect } from "vitest";
import type { TraceFile } from "../../src/drive/trace-file.ts";
import { pair } from "../support/workflow.ts";
import type { HeardCall, MemoryStep } from "./memory-agents.ts";
import { CRITERION } from "./memory-state.ts";

type Report = Readonly<Record<string, unknown>>;

/** Adds a line with the turn's number to a file, `work.txt` unless told otherwise. */
export const addsLine =
	(path = "work.txt"): NonNullable<MemoryStep["write"]> =>
	({ files, turn }: HeardCall) => ({
		[path]: `${files.get(path)?.text ?? ""}turn ${turn}\n`,
	});

/** A player that changes a file in each turn. */
export const WORKS: MemoryStep = { role: "player", write: addsLine() };

/** A player that writes a file named after its task. */
export const OWN_FILE: MemoryStep = {
	role: "player",
	write: ({ task }) => ({ [`${task}.txt`]: "done\n" }),
};

/** A player that changes nothing. */
export const IDLE: MemoryStep = { role: "player" };

/** A coach's report that approves the one criterion. */
export const APPROVAL: Report = {
	decision: "approve",
	rationale: "All is there.",
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
};

/** A coach that approves everything it is asked about. */
export const APPROVES: MemoryStep = { role: "coach", report: APPROVAL };

/** A coach's report that calls the criterion met and lists findings. */
export const sendsBack = (...items: readonly Report[]): Report => ({
	...APPROVAL,
	decision: "feedback",
	rationale: "Not yet.",
	feedback_items: items,
});

/** One with a single major finding. */
export const major = (issue: string): Report => sendsBack({ issue, severity: "major" });

/** A report that approves, and calls findings fixed. */
export const fixed = (...ids: readonly string[]): Report => ({
	...APPROVAL,
	findings_status: ids.map((id) => ({ id, status: "fixed" })),
});

/** Tasks of a workflow file, each a pair that works on the one criterion unless its keys say otherwise. */
export const tasks = (
	all: Readonly<Record<string, object>>,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
	Object.fromEntries(
		Object.entries(all).map(([id, more]) => [
			id,
			{
				agent: "dev",
				description: "Do it.",
				acceptance_criteria: [CRITERION],
				overlays: pair(),
				...more,
			},
		]),
	);

/** The events of a type, their data only. */
export const dataOf = ({ events }: TraceFile, type: string): Readonly<Record<string, unknown>>[] =>
	events.flatMap((event) => (event.type === type ? [{ ...event.data }] : []));

/** Stands in an expected value for a text that contains or matches this. */
export const textLike = (part: string | RegExp): unknown =>
	typeof part === "string" ? expect.stringContaining(part) : expect.stringMatching(part);
