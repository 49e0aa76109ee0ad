import type { MutatedPlace, MutationFigures } from "../../evidence/report-figures.ts";
import { fieldAt, isFields } from "../../kernel/fields.ts";
import type { ChangedFile } from "../reports/changed-lines.ts";
import { isList, parseJsonReport, textOf } from "../reports/json-report.ts";
import { type InvalidReport, isCount, refuse } from "../reports/parsed-report.ts";
import { placePath } from "../reports/report-path.ts";
import { MAX_SURVIVORS } from "./mutation-text.ts";
import { spread } from "./spread.ts";

// `invalid`: it could not be tried and does not count.
export type MutantStatus = "detected" | "undetected" | "invalid" | "pending";

// A map, so that a status of the report cannot match an inherited property.
const MEANING: ReadonlyMap<unknown, MutantStatus> = new Map([
	["Killed", "detected"],
	["Timeout", "detected"],
	["Survived", "undetected"],
	["NoCoverage", "undetected"],
	["CompileError", "invalid"],
	["RuntimeError", "invalid"],
	["Ignored", "invalid"],
	["Pending", "pending"],
]);

export interface Mutant {
	readonly status: MutantStatus;
	readonly from: number;
	readonly to: number;
	/** From 1, the last one behind its end; null where the report has none. */
	readonly columns: readonly [from: number, to: number] | null;
	/** The tool's word for what it does, and the code that it puts there; empty where the report has none. */
	readonly operator: string;
	readonly fresh: string;
}

export interface MutatedFile {
	readonly mutants: readonly Mutant[];
	readonly source: string;
}

/** Mutants by file, as named in the report. */
export type ParsedMutationReport =
	| {
			readonly kind: "mutants";
			/** Absolute directory that the names are relative to, if the report states one. */
			readonly projectRoot: string | null;
			readonly files: ReadonlyMap<string, MutatedFile>;
	  }
	| InvalidReport;

/**
 * Reads the mutation testing report schema, version 1 or 2, as written by Stryker (`mutation.json`) and tools for
 * other languages; scores are not read. An unknown status or version, or a location without lines, is invalid.
 */
export function parseMutationReport(text: string): ParsedMutationReport {
	const root = parseJsonReport(text);
	if (!isFields(root)) return refuse("not a JSON object");
	const version = root["schemaVersion"];
	if (typeof version !== "string" || !/^[12](?:\.\d+){0,2}$/.test(version)) {
		return refuse("schemaVersion is neither 1 nor 2");
	}
	if (!isFields(root["files"])) return refuse("files is not an object");
	const projectRoot = root["projectRoot"];
	const files = new Map<string, MutatedFile>();
	for (const [name, file] of Object.entries(root["files"])) {
		const mutated = mutatedFile(file);
		if (typeof mutated === "string") return refuse(`files[${JSON.stringify(name)}]${mutated}`);
		files.set(name, mutated);
	}
	return {
		kind: "mutants",
		projectRoot: typeof projectRoot === "string" ? projectRoot : null,
		files,
	};
}

function mutatedFile(file: unknown): MutatedFile | string {
	if (!isFields(file) || !isList(file["mutants"])) return ".mutants is not a list";
	const given = file["mutants"];
	const mutants: Mutant[] = [];
	for (const [index, value] of given.entries()) {
		const mutant = mutantOf(value);
		if (typeof mutant === "string") return `.mutants[${index}]${mutant}`;
		mutants.push(mutant);
	}
	return { mutants, source: textOf(file["source"]) };
}

function mutantOf(value: unknown): Mutant | string {
	if (!isFields(value)) return " is not an object";
	const status = MEANING.get(value["status"]);
	if (status === undefined) return ".status is not in the schema";
	const [start, end] = ["start", "end"].map((name) => fieldAt(value, "location", name));
	const [from, to] = [fieldAt(start, "line"), fieldAt(end, "line")];
	if (!isCount(from) || !isCount(to) || from < 1 || to < from) return ".location has no lines";
	const [first, last] = [fieldAt(start, "column"), fieldAt(end, "column")];
	const columns =
		typeof first === "number" && typeof last === "number" ? ([first, last] as const) : null;
	const operator = textOf(value["mutatorName"]);
	const fresh = textOf(value["replacement"]);
	return { status, from, to, columns, operator, fresh };
}

type Changes = ReadonlyMap<string, Pick<ChangedFile, "lines">>;

/**
 * Counts the mutants on changed lines by result.
 *
 * A mutant counts if all its lines changed: removing a whole function with one new line says little about that line.
 * Mutants that could not be tried and files outside of the checkout do not count.
 *
 * @param roots absolute names of the checkout in which the check ran (`rootsOf`)
 */
export function countMutants(
	report: Exclude<ParsedMutationReport, { kind: "invalid" }>,
	roots: readonly string[],
	changes: Changes,
): Extract<MutationFigures, { kind: "counted" }> {
	const counts = { detected: 0, undetected: 0, invalid: 0, pending: 0 };
	const survivors: (() => MutatedPlace)[] = [];
	let outside = 0;
	for (const [name, file] of report.files) {
		const path = pathInside(name, report.projectRoot, roots);
		if (path === undefined) outside += 1;
		for (const mutant of onChanged(file.mutants, path, changes)) {
			counts[mutant.status] += 1;
			if (mutant.status === "undetected" && path !== undefined)
				survivors.push(() => placeIn(path, file.source, mutant));
		}
	}
	const { detected, undetected, pending } = counts;
	// A report may hold a million; the text of each may be a whole file.
	const named = spread(survivors, MAX_SURVIVORS).map((placed) => placed());
	return { kind: "counted", detected, undetected, pending, outside, survivors: named };
}

function placeIn(file: string, source: string, mutant: Mutant): MutatedPlace {
	const { from, to, columns, operator, fresh } = mutant;
	const lines = source.split("\n").slice(from - 1, to);
	const [start, end] = columns ?? [1, 1];
	const kept = lines.map((text, index) => (index === to - from ? text.slice(0, end - 1) : text));
	const old = kept.map((text, index) => (index === 0 ? text.slice(start - 1) : text)).join("\n");
	return { file, line: from, operator, old, fresh };
}

function pathInside(
	name: string,
	projectRoot: string | null,
	roots: readonly string[],
): string | undefined {
	const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(name);
	return placePath(isAbsolute || projectRoot === null ? name : `${projectRoot}/${name}`, roots);
}

function onChanged(
	mutants: readonly Mutant[],
	path: string | undefined,
	changes: Changes,
): Mutant[] {
	const lines = path === undefined ? undefined : changes.get(path)?.lines;
	if (lines === undefined) return [];
	const ends = endsOfRuns(lines);
	return mutants.filter(({ from, to }) => (ends.get(from) ?? 0) >= to);
}

function endsOfRuns(lines: readonly number[]): ReadonlyMap<number, number> {
	const ends = new Map<number, number>();
	for (const line of [...lines].sort((a, b) => b - a)) ends.set(line, ends.get(line + 1) ?? line);
	return ends;
}
