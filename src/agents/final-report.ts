import type { Role } from "../kernel/roles.ts";
import type { AgentAnswer } from "./agent.ts";
import { lastJsonObject, topObjects } from "./last-json.ts";

/** The field by which a report of a judging role decides. */
const DECIDES: Readonly<Partial<Record<Role, string>>> = {
	coach: "decision",
	verifier: "run",
	evaluator: "score",
	tie_breaker: "verdict",
};

/** A problem names at most so many decisions, each cut to so many characters. */
const NAMED = 3;
const LONGEST_NAME = 40;

/** A report, and what it decides, as JSON. */
interface Decided {
	readonly report: string;
	readonly decision: string;
}

/** The value's JSON; a text of its own where it is nested too deeply to be written. */
function written(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return "nested too deeply";
	}
}

/** @returns null for an object that is no report of the role */
function decidedIn(report: string, field: string): Decided | null {
	const value: unknown = JSON.parse(report);
	if (typeof value !== "object" || value === null || !Object.hasOwn(value, field)) return null;
	return { report, decision: written(Reflect.get(value, field)) };
}

/** What pieces of reports decide that stand in talk, in lists, in other objects, or in objects that are broken. */
function decisionsInTalk(talk: string, field: string): string[] {
	const mention = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",{}[\\]]+)`, "g");
	return Array.from(talk.matchAll(mention), ([, value = ""]) => {
		const number = Number(value);
		return Number.isNaN(number) ? value : String(number);
	});
}

function disagreement(decisions: ReadonlySet<string>): string {
	const named = [...decisions]
		.slice(0, NAMED)
		.map((decision) => decision.replaceAll('"', "").slice(0, LONGEST_NAME));
	const more = decisions.size > NAMED ? ", ..." : "";
	return `the final message holds reports that disagree (${named.join(", ")}${more}): hand in one`;
}

/** The report in an agent's final message, as `AgentAnswer` has it. */
export type FoundReport = Pick<AgentAnswer, "report" | "reportProblem">;

/**
 * The report in an agent's final message.
 *
 * Of a role that judges (coach, verifier, evaluator, tie-breaker) it is the last object that has the role's deciding
 * field and lies in no other object and in no list. A message in which anything decides otherwise, such as the text of
 * a file that it quotes, has no report but a `reportProblem`. Without such an object, and for player and planner, it is
 * the last JSON object, with or without talk around it. A message without one is handed in as it is, so that whoever
 * reads it can say what is wrong with it.
 *
 * @returns `report` is null for a message without any text, and beside a `reportProblem`
 * @example `reportIn('Done.\n{"decision": "approve"}', "coach").report` is `'{"decision": "approve"}'`
 */
export function reportIn(message: string, role: Role): FoundReport {
	const text = message.trim();
	if (text === "") return { report: null };
	const field = DECIDES[role];
	if (field === undefined) return { report: lastJsonObject(text) ?? text };
	const decisions = new Set<string>();
	const talk: string[] = [];
	let last: string | null = null;
	let report: string | null = null;
	let from = 0;
	for (const { start, end } of topObjects(text)) {
		last = text.slice(start, end);
		const decided = decidedIn(last, field);
		if (decided === null) continue;
		report = decided.report;
		decisions.add(decided.decision);
		talk.push(text.slice(from, start));
		from = end;
	}
	if (report === null) return { report: last ?? text };
	for (const decision of decisionsInTalk([...talk, text.slice(from)].join("\n"), field)) {
		decisions.add(decision);
	}
	return decisions.size === 1
		? { report }
		: { report: null, reportProblem: disagreement(decisions) };
}
