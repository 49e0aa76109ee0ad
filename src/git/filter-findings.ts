import { constants, existsSync } from "node:fs";
import { access, rm } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { counted } from "../kernel/counted.ts";
import { makeTemporary } from "../process/temporary.ts";
import type { BaseFilters, FilterDriver } from "./base-filters.ts";
import { baseFilters } from "./base-filters.ts";
import type { NamedFilter } from "./filter-attributes.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { objectSizes, readObjects } from "./objects.ts";
import { joinZero, pathText, type TreeEntry, zeroFields } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { runGit } from "./run-git.ts";

/** A problem with a filter that a commit's attributes name, or a notice about it. */
export interface FilterFinding {
	readonly place: NamedFilter;
	/** True: no run can start. */
	readonly refused: boolean;
	/** One line, without a final full stop. */
	readonly message: string;
	readonly hint: string;
}

const LARGEST_POINTER = 1_024;

/**
 * Checks whether the filters that a commit's `.gitattributes` name can run. Starts none of them.
 *
 * Refused: files tracked by Git LFS when it is not set up, a filter whose program is missing, files whose content the
 * LFS store does not have. A filter that is not defined is only a notice, since it does nothing in the user's own
 * checkout either.
 */
export async function inspectFilters(
	repository: Repository,
	commit: string,
): Promise<FilterFinding[]> {
	const filters = await baseFilters(repository, commit);
	if (filters === null) return [];
	const tracked = await filesByFilter(repository, filters);
	const findings: FilterFinding[] = [];
	for (const named of filters.filters) {
		const found = await inspect(repository, filters, named, tracked.get(named.name) ?? []);
		if (found !== null) findings.push(found);
	}
	return findings;
}

async function inspect(
	repository: Repository,
	filters: BaseFilters,
	named: NamedFilter,
	files: readonly TreeEntry[],
): Promise<FilterFinding | null> {
	const { name } = named;
	const driver = filters.drivers.find((one) => one.name === name);
	const isLfs = name === "lfs";
	const missing = await missingProgram(repository, driver, isLfs);
	if (missing !== null) {
		const refused = driver !== undefined || files.length > 0;
		const message = `the filter ${name} needs the program ${missing}, which is not on the PATH${example(files)}`;
		return { place: named, refused, message, hint: isLfs ? INSTALL_LFS : INSTALL };
	}
	if (driver === undefined || !canRun(driver)) {
		if (isLfs) {
			const message = `Git LFS is not set up for this user${example(files)}`;
			return { place: named, refused: files.length > 0, message, hint: SET_UP_LFS };
		}
		const message = `the filter ${name} is not in git's configuration, so its files stay as they are${example(files)}`;
		const hint = `To use it, set filter.${name}.clean and filter.${name}.smudge with git config.`;
		return { place: named, refused: false, message, hint };
	}
	if (!isLfs || /--skip\b/.test(`${driver.process ?? ""} ${driver.smudge ?? ""}`)) return null;
	const absent = await withoutContent(repository, filters, files);
	if (absent.length === 0) return null;
	const message = `the Git LFS store of this repository has no content for ${counted(absent.length, "file")}${example(absent)}`;
	return { place: named, refused: true, message, hint: PULL };
}

const INSTALL = "Install it, or remove the filter from .gitattributes, then run again.";
const INSTALL_LFS = "Install Git LFS (Debian: git-lfs) and run `git lfs install`, then run again.";
const SET_UP_LFS = "Run `git lfs install` and `git lfs pull`, then run again.";
const PULL = "Fetch it with `git lfs pull` (or `git lfs fetch origin BRANCH`), then run again.";

function example(files: readonly TreeEntry[]): string {
	const [first] = files;
	return first === undefined ? "" : `, such as for ${pathText(first.path)}`;
}

function canRun({ clean = "", smudge = "", process = "" }: FilterDriver): boolean {
	return `${clean}${smudge}${process}` !== "";
}

async function missingProgram(
	{ host, root }: Repository,
	driver: FilterDriver | undefined,
	isLfs: boolean,
): Promise<string | null> {
	const commands = [driver?.process, driver?.clean, driver?.smudge];
	const programs = commands.flatMap((command) => programOf(command ?? "") ?? []);
	for (const program of isLfs ? ["git-lfs", ...programs] : programs) {
		const places = program.includes("/")
			? [resolve(root, program)]
			: host.path
					.split(":")
					.filter(isAbsolute)
					.map((folder) => join(folder, program));
		const found = await Promise.all(places.map(isExecutable));
		if (!found.includes(true)) return program;
	}
	return null;
}

const BUILT_IN = new Set(
	"cd command echo exec exit export false printf read set test true".split(" "),
);

/**
 * Program of a simple command, such as `git-lfs` of `git lfs clean -- %f`; undefined when it needs a shell to be read.
 */
export function programOf(command: string): string | undefined {
	const [first = "", second = ""] = command.trim().split(/\s+/);
	if (!/^[\w./+-]+$/.test(first) || BUILT_IN.has(first)) return undefined;
	return first === "git" && second === "lfs" ? "git-lfs" : first;
}

async function isExecutable(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

async function filesByFilter(
	repository: Repository,
	{ lines, files }: BaseFilters,
): Promise<ReadonlyMap<string, TreeEntry[]>> {
	const dir = await makeTemporary("spar-filters-");
	try {
		const { objectFormat, objectsDir, host } = repository;
		writeGitDirectory({
			path: dir,
			bare: true,
			objectFormat,
			alternates: objectsDir,
			shallow: null,
			head: "ref: refs/heads/none",
			shared: null,
			attributes: lines,
			excludes: "",
		});
		const values = await runGit(
			{ host, configuration: "sealed", cwd: dir, gitDir: dir },
			{
				args: ["check-attr", "-z", "--stdin", "filter"],
				stdin: joinZero(files.map(({ path }) => path)),
				parse: ({ stdout }) => zeroFields(stdout).filter((_field, index) => index % 3 === 2),
			},
		);
		const found = new Map<string, TreeEntry[]>();
		for (const [index, file] of files.entries()) {
			if (!file.mode.startsWith("100")) continue;
			const name = values[index]?.toString("utf8") ?? "";
			const group = found.get(name) ?? [];
			group.push(file);
			found.set(name, group);
		}
		return found;
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
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
