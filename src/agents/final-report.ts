import type { Role } from "../kernel/roles.ts";
import type { AgentAnswer } from "./agent.ts";
import { duplicateKey, lastJsonObject, type Span, topObjects } from "./json-text.ts";
import {
	type DecidingFields,
	decidingField,
	hasField,
	isQuoted,
	quotedReports,
} from "./quoted-reports.ts";

/** The fields by which a report of a judging role decides. */
const DECIDES: Readonly<Partial<Record<Role, DecidingFields>>> = {
	coach: ["decision", "challenger_approved"],
	verifier: ["run"],
	evaluator: ["score"],
	tie_breaker: ["verdict"],
};

/** Two words for one thing do not disagree: a challenger's signal is the decision that it stands for. */
const SAME_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	challenger_approved: { true: '"approve"', false: '"feedback"' },
};

/** What a field's value, as it is written in JSON, decides. */
const decisionBy = (field: string, value: string): string => SAME_AS[field]?.[value] ?? value;

/** A problem names at most so many decisions, each cut to so many characters. */
const NAMED = 3;
const LONGEST_NAME = 40;

/** The value's JSON; a text of its own where it is nested too deeply to be written. */
function written(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return "nested too deeply";
	}
}

/** What pieces of reports decide that stand in talk, in lists, in other objects, or in objects that are broken. */
function decisionsInTalk(talk: string, fields: DecidingFields): string[] {
	const names = fields.join("|");
	const mention = new RegExp(`"(${names})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",{}[\\]]+)`, "g");
	return Array.from(talk.matchAll(mention), ([, field = "", value = ""]) => {
		const number = Number(value);
		return Number.isNaN(number) ? decisionBy(field, value) : String(number);
	});
}

/** What a report decides, by the first of its fields that says something; its parser sees whether the others agree. */
function decisionOf(report: object, fields: DecidingFields): string {
	const field = decidingField(report, fields);
	return decisionBy(field, written(Reflect.get(report, field)));
}

function disagreement(decisions: ReadonlySet<string>): string {
	const named = [...decisions]
		.slice(0, NAMED)
		.map((decision) => decision.replaceAll('"', "").slice(0, LONGEST_NAME));
	const more = decisions.size > NAMED ? ", ..." : "";
	return `the final message contains reports that disagree (${named.join(", ")}${more}): return only one`;
}

/** The report in an agent's final message, as `AgentAnswer` has it. */
export type FoundReport = Pick<AgentAnswer, "report" | "reportProblem">;

/** So much of a report that is not an object of its role is looked through; less of it is ever shown to its author. */
const LOOKED_THROUGH = 100_000;

const PROBLEMS = {
	notLast: "the final message must end with the report: nothing may follow the JSON object",
	quoted: "the report repeats an object from the prompt: write the judgement in your own words",
	wrapped:
		"the report is inside a list, another object or a string, or is misspelled: return the object itself",
} as const;

const none = (reportProblem: string): FoundReport => ({ report: null, reportProblem });

/** Whether nothing but the end of the object's own fence comes after it in a text without white space around it. */
function isLast(text: string, { start, end }: Span): boolean {
	const tail = text.slice(end).trim();
	if (tail === "") return true;
	// A fence with the name of its language is shorter, and a longer piece would be searched in quadratic time.
	const before = text.slice(0, start).trimEnd().slice(-40);
	return /(`{3,}|~{3,})[ \t]*[\w+-]*$/.exec(before)?.[1] === tail;
}

/** What is handed in of a judge who gave no object of its role, so that its parser can say what is wrong with it. */
function withoutReport(text: string, fields: DecidingFields): FoundReport {
	// Shown to its author in the next prompt, a report in disguise would make the one that is asked for a quotation.
	const quoted = quotedReports(text.slice(0, LOOKED_THROUGH), fields).next();
	return quoted.done === true ? { report: text } : none(PROBLEMS.wrapped);
}

/** A judge's report with nothing around it, if it is one of its own. */
function ownReport(report: string, fields: DecidingFields, given: string): FoundReport {
	const value: unknown = JSON.parse(report);
	if (!hasField(value, fields)) return withoutReport(report, fields);
	const twice = duplicateKey(report);
	if (twice !== null) return none(`invalid report: duplicate key ${JSON.stringify(twice)}`);
	return isQuoted(value, fields, given) ? none(PROBLEMS.quoted) : { report };
}

/** The last report in a judge's message that is not empty, and whether the message says but one thing. */
function judgedIn(text: string, fields: DecidingFields, given: string): FoundReport {
	const decisions = new Set<string>();
	const talk: string[] = [];
	let last: Span | null = null;
	let report: Span | null = null;
	let from = 0;
	for (const span of topObjects(text)) {
		last = span;
		const value: unknown = JSON.parse(text.slice(span.start, span.end));
		if (!hasField(value, fields)) continue;
		report = span;
		decisions.add(decisionOf(value, fields));
		talk.push(text.slice(from, span.start));
		from = span.end;
	}
	if (report === null) {
		const [start, end] = last === null ? [0, text.length] : [last.start, last.end];
		return withoutReport(text.slice(start, end), fields);
	}
	for (const decision of decisionsInTalk([...talk, text.slice(from)].join("\n"), fields)) {
		decisions.add(decision);
	}
	if (decisions.size !== 1) return none(disagreement(decisions));
	if (!isLast(text, report)) return none(PROBLEMS.notLast);
	return ownReport(text.slice(report.start, report.end), fields, given);
}

/**
 * The report in an agent's final message.
 *
 * A role that judges (coach, verifier, evaluator, tie-breaker) has one only where the message ends with an object that
 * has a deciding field of the role and lies in no other object and in no list; nothing but the end of its own fence may
 * follow. Talk may come before it. The message has a `reportProblem` instead where anything in it decides otherwise,
 * and where an object of the same value stands in what the agent was given: the text of a file that it quotes, or the
 * example of the format. An honest judgement that is word for word the same cannot be told from a quotation.
 *
 * Of player and planner it is the last JSON object, with or without talk around it. A message without one is handed in
 * as it is, so that its reader can say what is wrong with it.
 *
 * @param given all that the agent was told: its prompt
 * @returns `report` is null for a message without any text, and beside a `reportProblem`
 * @example `reportIn('Done.\n{"decision": "approve"}', "coach", "Judge.").report` is `'{"decision": "approve"}'`
 */
export function reportIn(message: string, role: Role, given: string): FoundReport {
	const text = message.trim();
	if (text === "") return { report: null };
	const fields = DECIDES[role];
	return fields === undefined
		? { report: lastJsonObject(text) ?? text }
		: judgedIn(text, fields, given);
}

/**
 * The report in a value that a harness tells as its structured output.
 *
 * There is no talk around it. Of a role that judges it may be no quotation either: nothing shows that a provider forced
 * the schema, as a harness may let its model call a tool, and a user's arguments may override Sparring's.
 *
 * @param given all that the agent was told: its prompt
 */
export function structuredReport(value: unknown, role: Role, given: string): FoundReport {
	let report: string;
	try {
		report = JSON.stringify(value);
	} catch {
		// What was parsed without recursion may be nested deeper than can be written.
		return none("the structured report is nested too deeply");
	}
	const fields = DECIDES[role];
	return fields === undefined ? { report } : ownReport(report, fields, given);
}
