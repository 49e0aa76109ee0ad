import { readGuarded, refuse } from "../report-guard.ts";
import { isFields, parseJsonReport } from "../reports/json-report.ts";
import type { InvalidReport } from "../reports/parsed-report.ts";

/** What became of a mutant. `invalid`: it could not be tried, and counts for nothing. */
export type MutantStatus = "detected" | "undetected" | "invalid" | "pending";

/** The schema's words. A map, so that no name of the report reaches what objects inherit. */
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

/** One changed place of the program. Lines from 1, both ends included. */
export interface Mutant {
	readonly status: MutantStatus;
	readonly from: number;
	readonly to: number;
}

/** Mutants by file, as the report names it; or why the report cannot be believed. */
export type MutationReport =
	| {
			readonly kind: "mutants";
			/** Absolute directory that the files' names are relative to, where the report says so. */
			readonly projectRoot: string | null;
			readonly files: ReadonlyMap<string, readonly Mutant[]>;
	  }
	| InvalidReport;

/**
 * Reads a report of the mutation testing report schema, version 1 or 2: Stryker's `mutation.json`, and what other
 * languages' tools write in that form. Only files, statuses and locations are read; scores that it states are not.
 *
 * A text of more than 64 MiB, which bounds it to some million mutants, is not read. A status that the schema does not know, a location without lines, or an unknown version makes it invalid.
 */
export function parseMutationReport(text: string): MutationReport {
	return readGuarded("mutation", text, readReport);
}

function readReport(text: string): MutationReport {
	const root = parseJsonReport(text);
	if (!isFields(root)) return refuse("not a JSON object");
	const version = root["schemaVersion"];
	if (typeof version !== "string" || !/^[12](?:\.\d+){0,2}$/.test(version)) {
		return refuse("schemaVersion is neither 1 nor 2");
	}
	if (!isFields(root["files"])) return refuse("files is no object");
	const projectRoot = root["projectRoot"];
	const files = new Map<string, readonly Mutant[]>();
	for (const [name, file] of Object.entries(root["files"])) {
		const mutants = mutantsOf(file);
		if (typeof mutants === "string") return refuse(`files[${JSON.stringify(name)}]${mutants}`);
		files.set(name, mutants);
	}
	return {
		kind: "mutants",
		projectRoot: typeof projectRoot === "string" ? projectRoot : null,
		files,
	};
}

/** The mutants of a file, or what is wrong with it. */
function mutantsOf(file: unknown): Mutant[] | string {
	if (!isFields(file) || !Array.isArray(file["mutants"])) return ".mutants is no list";
	// A list of whatever the report holds: `isArray` alone would leave its items unchecked.
	const given = file["mutants"] as unknown[];
	const mutants: Mutant[] = [];
	for (const [index, value] of given.entries()) {
		const mutant = mutantOf(value);
		if (typeof mutant === "string") return `.mutants[${index}]${mutant}`;
		mutants.push(mutant);
	}
	return mutants;
}

function mutantOf(value: unknown): Mutant | string {
	if (!isFields(value)) return " is no object";
	const status = MEANING.get(value["status"]);
	if (status === undefined) return ".status is none of the schema";
	const location = value["location"];
	const from = lineOf(location, "start");
	const to = lineOf(location, "end");
	if (from === null || to === null || to < from) return ".location has no lines";
	return { status, from, to };
}

function lineOf(location: unknown, end: "start" | "end"): number | null {
	if (!isFields(location)) return null;
	const place = location[end];
	const line = isFields(place) ? place["line"] : null;
	return typeof line === "number" && Number.isSafeInteger(line) && line >= 1 ? line : null;
}
