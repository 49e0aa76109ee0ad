import type * as z from "zod";
import { isFields, type Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import type { Reporter } from "./reporter.ts";
import { ADAPTERS_OF_KEY } from "./schema-agents.ts";
import { type Complaint, DURATION_KEYS } from "./schema-values.ts";

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
	string: "a string",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	array: "a list",
	object: "a mapping",
	record: "a mapping",
};

const TRUTHS: Readonly<Record<string, boolean>> = {
	yes: true,
	y: true,
	on: true,
	true: true,
	no: false,
	n: false,
	off: false,
	false: false,
};

const DURATIONS: ReadonlySet<string> = new Set(DURATION_KEYS);

/** Issues hold their input, and a place that is not there has none. */
export function reportIssues(issues: readonly Issue[], report: Reporter): void {
	for (const issue of issues.flatMap(insideUnion)) {
		const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
		reportIssue(path, issue, report);
	}
}

function insideUnion(issue: Issue): readonly Issue[] {
	if (issue.code !== "invalid_union") return [issue];
	const inner = issue.errors.find(
		(branch) =>
			branch.length > 0 &&
			branch.every(({ code, path }) => code === "unrecognized_keys" || path.length > 0),
	);
	return inner?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })) ?? [issue];
}

/** That of an unknown kind of mapping holds the whole mapping. */
function inputOf(issue: Issue): unknown {
	const key = issue.code === "invalid_union" ? issue.discriminator : undefined;
	return isFields(issue.input) && key !== undefined ? issue.input[key] : issue.input;
}

function reportIssue(path: Path, issue: Issue, report: Reporter): void {
	const name = describePath(path);
	if (issue.code === "unrecognized_keys") {
		for (const key of issue.keys)
			reportUnknownKey([...path, key], issue.message.split(" "), report);
	} else if (issue.code === "custom" && issue.params !== undefined) {
		const { hint, within }: Partial<Complaint> = issue.params;
		report.error(path, issue.message, hint, within);
	} else if (inputOf(issue) === undefined) {
		report.error(path, `${name} is missing`, missingHint(path, issue));
	} else {
		report.error(path, `${name} ${complaint(path, issue)}`, hintFor(path, issue));
	}
}

/** Kinds that people may want to waive and cannot, with the reason. */
const NEVER_WAIVED: ReadonlyMap<string, string> = new Map([
	...["acceptance", "acceptance_evidence", "tests"].map(
		(key) => [key, "nothing merges without tests that ran and passed"] as const,
	),
	...["sign_off", "signoff", "signature", "hil", "human"].map(
		(key) =>
			[key, "tier T2 requires a person's signature; choose T1 for a task without one"] as const,
	),
]);

function reportUnknownKey(path: Path, known: readonly string[], report: Reporter): void {
	const key = String(path.at(-1));
	const why = path.length === 2 && path[0] === "waive" ? NEVER_WAIVED.get(key) : undefined;
	if (why !== undefined) report.keyError(path, `${key} cannot be waived`, why);
	else
		report.keyError(
			path,
			`unknown key ${quote(key)}`,
			otherAdapters(path, key) ?? suggestion(key, known),
		);
}

function otherAdapters(path: Path, key: string): string | undefined {
	const owners = path.length === 3 && path[0] === "agents" ? ADAPTERS_OF_KEY.get(key) : undefined;
	if (owners === undefined) return undefined;
	return `a key of ${owners.length === 1 ? "adapter" : "the adapters"} ${owners.join(", ")}`;
}

/** `tasks.limiter.max_turns`, `setup[0]`; keys that are no plain words are quoted. */
function describePath(path: Path): string {
	const parts = path.map((step) => {
		if (typeof step === "number") return `[${step}]`;
		return /^[\w-]{1,64}$/.test(step) ? `.${step}` : `.${quote(step)}`;
	});
	return path.length === 0 ? "the file" : parts.join("").replace(/^\./, "");
}

function choices(issue: Issue): readonly string[] | undefined {
	if (issue.code === "invalid_value") return issue.values.map(String);
	if (issue.code !== "invalid_union") return undefined;
	const named = "options" in issue && Array.isArray(issue.options) ? issue.options : undefined;
	if (named !== undefined) return named.map(String);
	return issue.errors.flat().flatMap((each) => choices(each) ?? typeChoices(each));
}

function typeChoices(issue: Issue): readonly string[] {
	return issue.code === "invalid_type" && issue.expected === "boolean" ? ["true", "false"] : [];
}

function missingHint(path: Path, issue: Issue): string | undefined {
	const allowed = choices(issue);
	const key = path.at(-1);
	if (allowed === undefined || typeof key !== "string") return undefined;
	const [only] = allowed;
	return allowed.length === 1 ? `write \`${key}: ${only}\`` : `one of ${allowed.join(", ")}`;
}

function complaint(path: Path, issue: Issue): string {
	const allowed = choices(issue);
	if (allowed !== undefined && allowed.length > 0)
		return `must be ${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}, not ${describeValue(inputOf(issue))}`;
	if (issue.code === "invalid_type" && DURATIONS.has(String(path.at(-1))))
		return `must be a duration, not ${describeValue(inputOf(issue))}`;
	if (issue.code === "invalid_type")
		return `must be ${TYPES[issue.expected] ?? issue.expected}, not ${describeValue(inputOf(issue))}`;
	if (issue.code === "too_small") {
		if (issue.origin === "array") return "must not be empty";
		return `must be ${issue.inclusive === true ? "at least" : "above"} ${issue.minimum}`;
	}
	return issue.code === "too_big" ? `must be at most ${issue.maximum}` : issue.message;
}

function describeValue(value: unknown): string {
	if (typeof value === "string") return quote(value);
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (Array.isArray(value)) return "a list";
	return isFields(value) ? "a mapping" : "empty";
}

function hintFor(path: Path, issue: Issue): string | undefined {
	const value = inputOf(issue);
	if (DURATIONS.has(String(path.at(-1)))) return durationHint(value);
	if (value === null) return "give it a value, or remove the key";
	if (typeof value === "string") return hintForText(value, issue);
	if (typeof value === "number" && isExpecting(issue, "string"))
		return `put it in quotes: "${value}"`;
	// `off` is text in YAML 1.2, and people know it as false.
	return value === false && choices(issue)?.includes("off") === true ? "write `off`" : undefined;
}

function hintForText(value: string, issue: Issue): string | undefined {
	const allowed = choices(issue) ?? [];
	const truth = Object.hasOwn(TRUTHS, value.toLowerCase())
		? TRUTHS[value.toLowerCase()]
		: undefined;
	const takesTruth = allowed.includes("true") || isExpecting(issue, "boolean");
	if (takesTruth && truth !== undefined) return `write ${truth}`;
	if (isExpecting(issue, "array")) return `write a list: [${JSON.stringify(value.slice(0, 80))}]`;
	if (allowed.includes(value)) return `write ${value} without quotes`;
	return suggestionOnly(value, allowed);
}

function isExpecting(issue: Issue, type: string): boolean {
	return issue.code === "invalid_type" && issue.expected === type;
}

/** The message lists the values already; only a near one is worth a hint. */
function suggestionOnly(word: string, allowed: readonly string[]): string | undefined {
	const hint = suggestion(word, allowed);
	return hint?.startsWith("did you mean") === true ? hint : undefined;
}

function durationHint(value: unknown): string {
	return typeof value === "number"
		? `add a unit: ${value}s for seconds, ${value}m for minutes`
		: "write a number and a unit: ms, s, m, h or d, such as 90s or 30m";
}
