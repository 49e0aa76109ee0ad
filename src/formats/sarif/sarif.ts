import { type Fields, fieldAt, fieldsOf, isFields, listOf } from "../../kernel/fields.ts";
import { canonicalJson } from "../../kernel/json.ts";
import { isList, parseJsonReport, textOf } from "../reports/json-report.ts";
import { isCount, plainText, refuse } from "../reports/parsed-report.ts";
import {
	failuresAmong,
	MAX_MESSAGE,
	type ReportedResult,
	type ResultLevel,
	type ResultsReport,
} from "./reported-result.ts";

const LEVELS: ReadonlySet<string> = new Set(["error", "warning", "note", "none"]);

interface Run {
	readonly tool: string;
	readonly driver: Fields;
	readonly extensions: readonly unknown[];
	readonly levels: ReadonlyMap<string, string>;
	readonly artifacts: readonly unknown[];
	readonly bases: Fields;
}

/**
 * Reads SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0: 3.14 run, 3.20 invocation, 3.27 result). Invalid are a
 * report without a run, a run without results, and one that reports failure, since it may have missed results. Results
 * with `baselineState` `absent` are left out.
 */
export function parseSarif(text: string): ResultsReport {
	const root = parseJsonReport(plainText(text));
	if (!isFields(root)) return refuse("not a JSON object");
	const version = textOf(root["version"]);
	if (!version.startsWith("2.")) return refuse(`its version is "${version}", not 2.1.0`);
	const runs = listOf(root["runs"]);
	if (runs.length === 0) return refuse("it contains no run of a tool");
	const results: ReportedResult[] = [];
	let problem: string | undefined;
	for (const run of runs) {
		const found = isFields(run) ? readRun(run, results) : "a run is not an object";
		problem ??= found;
	}
	return problem === undefined
		? { kind: "results", results }
		: refuse(problem, failuresAmong(results));
}

function readRun(fields: Fields, into: ReportedResult[]): string | undefined {
	const driver = at(fields, "tool", "driver");
	const tool = textOf(driver["name"]) || "a tool";
	const results = fields["results"];
	if (!isList(results)) return `the run of ${tool} has no list of results`;
	const failed = listOf(fields["invocations"]).some(
		(one) => isFields(one) && one["executionSuccessful"] === false,
	);
	const extensions = listOf(at(fields, "tool")["extensions"]);
	const rules = [
		...extensions.flatMap((one) => listOf(at(one)["rules"])),
		...listOf(driver["rules"]),
	];
	const run: Run = {
		tool,
		driver,
		extensions,
		levels: defaultLevels(rules),
		artifacts: listOf(fields["artifacts"]),
		bases: at(fields, "originalUriBaseIds"),
	};
	let problem = failed ? `${tool} reports that it failed` : undefined;
	for (const result of results) {
		const read = isFields(result)
			? readResult(result, run)
			: `a result of ${tool} is not an object`;
		if (typeof read === "string") problem ??= read;
		else if (read !== undefined) into.push(read);
	}
	return problem;
}

function defaultLevels(rules: readonly unknown[]): Map<string, string> {
	const levels = new Map<string, string>();
	for (const rule of rules) {
		if (!isFields(rule)) continue;
		const level = textOf(at(rule, "defaultConfiguration")["level"]);
		if (level !== "") levels.set(textOf(rule["id"]), level);
	}
	return levels;
}

/** @returns the reason when the result is not valid; undefined for an absent one */
function readResult(result: Fields, run: Run): ReportedResult | string | undefined {
	if (result["baselineState"] === "absent") return undefined;
	const rule = ruleOf(result, run);
	const level = levelOf(result, rule, run);
	if (level === undefined) return `a result of ${run.tool} has an unknown level`;
	const place = at(listOf(result["locations"])[0], "physicalLocation");
	const region = at(place, "region");
	const line = region["startLine"] ?? 0;
	if (!isCount(line)) return `a result of ${run.tool} has the line ${JSON.stringify(line)}`;
	const snippet = at(region, "snippet")["text"];
	return {
		rule: rule.id,
		level,
		location: locationOf(at(place, "artifactLocation"), run),
		// Some tools write 0 for the whole file.
		line: line === 0 ? null : line,
		snippet: typeof snippet === "string" ? snippet : null,
		identity: identityOf(result),
		message: textOf(at(result, "message")["text"]).slice(0, MAX_MESSAGE),
		suppressed: listOf(result["suppressions"]).some(isAccepted),
	};
}

function ruleOf(result: Fields, run: Run): { readonly id: string; readonly level: string } {
	const reference = at(result, "rule");
	const index = reference["index"] ?? result["ruleIndex"];
	const rule = at(isCount(index) ? listOf(componentOf(reference, run)["rules"])[index] : undefined);
	const id = textOf(result["ruleId"]) || textOf(reference["id"]) || textOf(rule["id"]) || run.tool;
	const own = textOf(rule["id"]) === id ? textOf(at(rule, "defaultConfiguration")["level"]) : "";
	return { id, level: own };
}

function componentOf(reference: Fields, { driver, extensions }: Run): Fields {
	const component = at(reference, "toolComponent");
	const index = component["index"];
	if (isCount(index)) return at(extensions[index]);
	const found = ["guid", "name"].flatMap((key) =>
		extensions.filter((one) => textOf(component[key]) !== "" && at(one)[key] === component[key]),
	);
	return at(found[0] ?? driver);
}

/** The stated level; else `none` if it is not a failure, else the rule's default, else `warning`. */
function levelOf(
	result: Fields,
	rule: { readonly id: string; readonly level: string },
	run: Run,
): ResultLevel | undefined {
	const kind = textOf(result["kind"]) || "fail";
	const implied = kind === "fail" ? rule.level || (run.levels.get(rule.id) ?? "warning") : "none";
	const level = result["level"] ?? implied;
	return isLevel(level) ? level : undefined;
}

function isLevel(value: unknown): value is ResultLevel {
	return typeof value === "string" && LEVELS.has(value);
}

function locationOf(location: Fields, run: Run): string | null {
	const index = location["index"];
	const artifact = isCount(index) ? run.artifacts[index] : undefined;
	const named = typeof location["uri"] === "string" || !isFields(artifact);
	const { uri, uriBaseId } = named ? location : at(artifact, "location");
	if (typeof uri !== "string" || uri === "") return null;
	const id = textOf(uriBaseId);
	const base = Object.hasOwn(run.bases, id) ? textOf(at(run.bases, id)["uri"]) : "";
	return base === "" || /^(?:[a-z][\w+.-]*:|\/)/i.test(uri)
		? uri
		: `${base.replace(/\/$/, "")}/${uri}`;
}

function identityOf(result: Fields): string | null {
	const own = Object.entries(at(result, "partialFingerprints")).filter(
		([, value]) => typeof value === "string" && value !== "",
	);
	return own.length === 0 ? null : canonicalJson(Object.fromEntries(own));
}

/** A suppression without a status is accepted; one under review or rejected does not count. */
function isAccepted(suppression: unknown): boolean {
	return isFields(suppression) && (suppression["status"] ?? "accepted") === "accepted";
}

function at(value: unknown, ...keys: readonly string[]): Fields {
	return fieldsOf(fieldAt(value, ...keys));
}
