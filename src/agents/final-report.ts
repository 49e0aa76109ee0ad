import type { Role } from "../kernel/roles.ts";
import type { AgentAnswer } from "./agent.ts";
import {
	duplicateKey,
	type JsonSpan,
	lastJsonObject,
	topContainers,
	topObjects,
	withDistinctKeys,
} from "./json-text.ts";

// Characters that a prompt spells out because nobody sees them.
const SPELLED_OUT = /<U\+[0-9A-F]{4,6}>/g;

// A line's end with the marks before the next line's words: of a difference, a comment, a quotation. Words that were
// torn apart are joined: between tokens JSON needs no space.
const LINE_BREAK = /[\r\n][^\p{L}\p{N}{}[\]",:\\]*|\p{Cc}/gu;

const onOneLine = (text: string): string => text.replaceAll(LINE_BREAK, "");

// As it stands, and as who quotes it would write it down: without marks, and each side of a difference.
function* layouts(text: string): Generator<string> {
	yield text;
	yield onOneLine(text);
	yield onOneLine(text.replaceAll(/^-.*$/gm, ""));
	yield onOneLine(text.replaceAll(/^\+.*$/gm, ""));
}

// Bytes of a file's name as git writes them, else one character as source code does.
const ESCAPE = /(?:\\[0-3][0-7]{2})+|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi;

function unescaped(text: string): string {
	return text.replaceAll(ESCAPE, (run, wide?: string, narrow?: string, char?: string) => {
		const code = wide ?? narrow;
		if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
		if (char !== undefined) return /[\nnrtbfv]/.test(char) ? "" : char;
		const bytes = run.slice(1).split("\\");
		return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 8))).toString();
	});
}

// JSON in a text of JSON in source code is escaped so often.
const LEVELS = 2;

function* readings(text: string): Generator<string> {
	for (const layout of layouts(text.replaceAll(SPELLED_OUT, ""))) {
		let reading = layout;
		yield reading;
		for (let level = 0; level < LEVELS && reading.includes("\\"); level += 1) {
			reading = unescaped(reading);
			yield reading;
		}
	}
}

type DecidingFields = readonly [string, ...string[]];

// The object's own field; a list has none.
function hasField(value: unknown, fields: DecidingFields): value is object {
	return (
		typeof value === "object" &&
		value !== null &&
		fields.some((field) => Object.hasOwn(value, field))
	);
}

function decidingField(report: object, fields: DecidingFields): string {
	return fields.find((field) => (Reflect.get(report, field) ?? null) !== null) ?? fields[0];
}

function* objectsIn(value: unknown, fields: DecidingFields): Generator<object> {
	// A list of values still to be seen, not recursion: hostile nesting would overflow the stack.
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next !== "object" || next === null) continue;
		if (hasField(next, fields)) yield next;
		for (const inner of Object.values(next)) open.push(inner);
	}
}

// Objects alone, in other objects or lists, in texts in quotes, in comments, in a difference, in names of files.
function* quotedReports(text: string, fields: DecidingFields): Generator<object> {
	for (const reading of readings(text)) {
		for (const { start, end } of topContainers(reading)) {
			const value: unknown = JSON.parse(withDistinctKeys(reading.slice(start, end)));
			yield* objectsIn(value, fields);
		}
	}
}

const DEEPEST = 40;

// Of these a parser takes no other spelling, so that correcting one is not a quotation.
const EXACT: ReadonlySet<string> = new Set(["status", "severity"]);

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "");

class Likeness {
	readonly #bare = new Map<string, string>();

	#isSameText(own: string, given: string): boolean {
		if (own === given) return true;
		let plain = this.#bare.get(own);
		if (plain === undefined) {
			plain = bare(own.replaceAll(SPELLED_OUT, ""));
			this.#bare.set(own, plain);
		}
		return plain === bare(given);
	}

	#isSameMember(key: string, own: unknown, given: object, depth: number): boolean {
		if (!Object.hasOwn(given, key)) return false;
		const other: unknown = Reflect.get(given, key);
		return EXACT.has(key) ? own === other : this.isSame(own, other, depth + 1);
	}

	isSame(own: unknown, given: unknown, depth: number): boolean {
		if (typeof own === "string") return typeof given === "string" && this.#isSameText(own, given);
		if (typeof own !== "object" || own === null) return own === given;
		if (typeof given !== "object" || given === null || depth > DEEPEST) return false;
		if (Array.isArray(own) !== Array.isArray(given)) return false;
		const members = Object.entries(own);
		return (
			members.length === Object.keys(given).length &&
			members.every(([key, value]: [string, unknown]) =>
				this.#isSameMember(key, value, given, depth),
			)
		);
	}
}

/**
 * Tells whether an object of the same value stands in what the author of a report was given. Spelling, order of fields,
 * and in texts everything but letters and digits do not matter.
 *
 * @example `isQuoted({ run: "x" }, ["run"], '{"run" : "\\u0078"}')` is true
 */
export function isQuoted(report: object, fields: DecidingFields, given: string): boolean {
	const field = decidingField(report, fields);
	const decision: unknown = Reflect.get(report, field);
	// No parser takes a list or an object there, and comparing them again and again would take quadratic time.
	if (typeof decision === "object") return false;
	const likeness = new Likeness();
	for (const quoted of quotedReports(given, [field])) {
		if (Reflect.get(quoted, field) === decision && likeness.isSame(report, quoted, 0)) return true;
	}
	return false;
}

const DECIDES: Readonly<Partial<Record<Role, DecidingFields>>> = {
	coach: ["decision", "challenger_approved"],
	verifier: ["run"],
	evaluator: ["score"],
	tie_breaker: ["verdict"],
};

// A challenger's signal is the decision that it stands for: the two do not disagree.
const SAME_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	challenger_approved: { true: '"approve"', false: '"feedback"' },
};

const decisionBy = (field: string, value: string): string => SAME_AS[field]?.[value] ?? value;

const NAMED = 3;
const LONGEST_NAME = 40;

function written(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return "nested too deeply";
	}
}

function decisionsInTalk(talk: string, fields: DecidingFields): string[] {
	const names = fields.join("|");
	const mention = new RegExp(`"(${names})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",{}[\\]]+)`, "g");
	return Array.from(talk.matchAll(mention), ([, field = "", value = ""]) => {
		const number = Number(value);
		return Number.isNaN(number) ? decisionBy(field, value) : String(number);
	});
}

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

export type FoundReport = Pick<AgentAnswer, "report" | "reportProblem">;

// Less of a report that is not an object of its role is ever shown to its author. In characters.
const LOOKED_THROUGH = 100_000;

const PROBLEMS = {
	notLast: "the final message must end with the report: nothing may follow the JSON object",
	quoted: "the report repeats an object from the prompt: write the judgement in your own words",
	wrapped:
		"the report is inside a list, another object or a string, or is misspelled: return the object itself",
} as const;

const none = (reportProblem: string): FoundReport => ({ report: null, reportProblem });

// Nothing but the end of the object's own fence may come after it.
function isLast(text: string, { start, end }: JsonSpan): boolean {
	const tail = text.slice(end).trim();
	if (tail === "") return true;
	// A fence with the name of its language is shorter, and a longer piece would be searched in quadratic time.
	const before = text.slice(0, start).trimEnd().slice(-40);
	return /(`{3,}|~{3,})[ \t]*[\w+-]*$/.exec(before)?.[1] === tail;
}

// A judge's text without an object of its role goes to the parser, which says what is wrong with it.
function withoutReport(text: string, fields: DecidingFields): FoundReport {
	// Shown to its author in the next prompt, a report in disguise would make the one that is asked for a quotation.
	const quoted = quotedReports(text.slice(0, LOOKED_THROUGH), fields).next();
	return quoted.done === true ? { report: text } : none(PROBLEMS.wrapped);
}

function ownReport(report: string, fields: DecidingFields, given: string): FoundReport {
	const value: unknown = JSON.parse(report);
	if (!hasField(value, fields)) return withoutReport(report, fields);
	const twice = duplicateKey(report);
	if (twice !== null) return none(`invalid report: duplicate key ${JSON.stringify(twice)}`);
	return isQuoted(value, fields, given) ? none(PROBLEMS.quoted) : { report };
}

// The last report that is not empty counts, where the message says but one thing.
function judgedIn(text: string, fields: DecidingFields, given: string): FoundReport {
	const decisions = new Set<string>();
	const talk: string[] = [];
	let last: JsonSpan | null = null;
	let report: JsonSpan | null = null;
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
 * A role that judges has one only where the message ends with an object that has a deciding field of the role and lies
 * in no other object and in no list; nothing but the end of its own fence may follow. The message has a `reportProblem`
 * instead where anything in it decides otherwise, and where an object of the same value stands in the prompt: the text
 * of a file that it quotes, or the example of the format. An honest judgement that is word for word the same cannot be
 * told from a quotation.
 *
 * Of player and planner it is the last JSON object. A message without one is handed in as it is, so that its reader can
 * say what is wrong with it.
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
 * The report in a value that a harness tells as its structured output. Of a role that judges it may be no quotation
 * either: nothing shows that a provider forced the schema, as a harness may let its model call a tool, and a user's
 * arguments may override Sparring's.
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
