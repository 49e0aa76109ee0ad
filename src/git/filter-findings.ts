import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { findProgram } from "../process/find-program.ts";
import {
	type AttributesFile,
	type BaseFilters,
	baseFilters,
	type FilterDriver,
	filesByFilter,
	LFS,
	lineOfFilter,
	mentions,
} from "./base-attributes.ts";
import { objectSizes, readObjects } from "./objects.ts";
import { pathText, type TreeEntry } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";

/** A problem with a filter that a commit's attributes name, or a notice about it. */
export interface FilterFinding {
	/** Place where the filter is named first. */
	readonly place: { readonly name: string; readonly file: string; readonly line: number };
	/** True: no run can start. */
	readonly refused: boolean;
	/** One line, without a final full stop. */
	readonly message: string;
	readonly hint: string;
}

const LARGEST_POINTER = 1_024;

/**
 * Checks the filters that a commit's `.gitattributes` give to its files. Starts none of them.
 *
 * Refused: a filter that is defined and is not Git LFS; files tracked by Git LFS when it is not set up, and those whose
 * content the LFS store does not have. A filter that is not defined is only a notice, since it does nothing in the
 * user's own checkout either.
 */
export async function inspectFilters(
	repository: Repository,
	commit: string,
): Promise<FilterFinding[]> {
	const filters = await baseFilters(repository, commit);
	if (filters === null) return [];
	const tracked = new Map(await filesByFilter(repository, filters));
	// What a player adds may be the first file of it.
	if (mentions(filters.rules, LFS) && !tracked.has(LFS)) tracked.set(LFS, []);
	const findings: FilterFinding[] = [];
	for (const [name, files] of tracked) {
		const driver = filters.drivers.find((one) => one.name === name && canRun(one));
		const found =
			name === LFS
				? await inspectLfs(repository, { filters, driver, files })
				: inspectOther(name, driver, files);
		if (found !== null) findings.push({ place: placeOf(filters.rules, name), ...found });
	}
	return findings;
}

/**
 * Ends a run that has filters with which it cannot begin: its checks would read pointers.
 *
 * @throws Fault `repository-unsuitable`
 */
export function requireFilters(filters: readonly FilterFinding[]): void {
	const refused = filters.find((finding) => finding.refused);
	if (refused === undefined) return;
	const { file, line } = refused.place;
	throw new Fault(`${refused.message} (${file}:${line})`, {
		code: "repository-unsuitable",
		hint: refused.hint,
	});
}

function placeOf(rules: readonly AttributesFile[], name: string): FilterFinding["place"] {
	for (const file of rules) {
		const line = lineOfFilter(file, name);
		if (line > 0) return { name, file: pathText(file.path), line };
	}
	return { name, file: ".gitattributes", line: 1 };
}

function inspectOther(
	name: string,
	driver: FilterDriver | undefined,
	files: readonly TreeEntry[],
): Omit<FilterFinding, "place"> {
	if (driver !== undefined) {
		const message = `the filter ${name} is not supported: Git LFS is the only one that runs in checkouts${example(files)}`;
		const hint = `Remove it from .gitattributes, or take its definition out of the configuration if the files may stay as git stores them: git config --remove-section filter.${name}`;
		return { refused: true, message, hint };
	}
	const message = `the filter ${name} is not in git's configuration, so its files stay as they are${example(files)}`;
	const hint = "It does nothing in your own checkout either. Git LFS is the only filter that runs.";
	return { refused: false, message, hint };
}

async function inspectLfs(
	repository: Repository,
	{
		filters,
		driver,
		files,
	}: {
		readonly filters: BaseFilters;
		readonly driver: FilterDriver | undefined;
		readonly files: readonly TreeEntry[];
	},
): Promise<Omit<FilterFinding, "place"> | null> {
	const refused = files.length > 0;
	if (findProgram("git-lfs", repository.host.path, "/") === undefined) {
		const message = `the filter lfs needs the program git-lfs, which is not on the PATH${example(files)}`;
		return { refused: refused || driver !== undefined, message, hint: INSTALL };
	}
	if (driver === undefined) {
		const message = `Git LFS is not set up for this user${example(files)}`;
		return { refused, message, hint: SET_UP };
	}
	if (/--skip\b/.test(`${driver.process ?? ""} ${driver.smudge ?? ""}`)) return null;
	const absent = await withoutContent(repository, filters, files);
	if (absent.length === 0) return null;
	const message = `the Git LFS store of this repository has no content for ${counted(absent.length, "file")}${example(absent)}`;
	return { refused: true, message, hint: PULL };
}

const INSTALL = "Install Git LFS (Debian: git-lfs) and run `git lfs install`, then run again.";
const SET_UP = "Run `git lfs install` and `git lfs pull`, then run again.";
const PULL = "Fetch it with `git lfs pull` (or `git lfs fetch origin BRANCH`), then run again.";

function example(files: readonly TreeEntry[]): string {
	const [first] = files;
	return first === undefined ? "" : `, such as for ${pathText(first.path)}`;
}

export function canRun({ clean = "", smudge = "", process = "" }: FilterDriver): boolean {
	return `${clean}${smudge}${process}` !== "";
}

async function withoutContent(
	repository: Repository,
	{ lfsStorage }: BaseFilters,
	files: readonly TreeEntry[],
): Promise<TreeEntry[]> {
	// A clone with alternates may also borrow Git LFS objects; only git-lfs knows from where.
	if (files.length === 0 || existsSync(join(repository.objectsDir, "info/alternates"))) return [];
	const place = repositoryPlace(repository);
	const sizes = await objectSizes(
		place,
		files.map(({ oid }) => oid),
	);
	const small = files.filter((_file, index) => (sizes[index] ?? 0) <= LARGEST_POINTER);
	const pointers = await readObjects(
		place,
		small.map(({ oid }) => oid),
	);
	return small.filter((_file, index) => {
		const id = /^oid sha256:([0-9a-f]{64})$/m.exec(
			pointers[index]?.content.toString("latin1") ?? "",
		)?.[1];
		if (id === undefined) return false;
		return !existsSync(join(lfsStorage, "objects", id.slice(0, 2), id.slice(2, 4), id));
	});
}
