import { posix } from "node:path";
import { placePath } from "../reports/report-path.ts";
import type { CoverageLines, LineHits } from "./coverage-report.ts";

/** A Go module of the commit: its import path, and the folder of its `go.mod` (`""` for the top). */
export interface GoModule {
	readonly name: string;
	readonly folder: string;
}

export interface CoveragePlace {
	readonly roots: readonly string[];
	readonly files: ReadonlySet<string>;
	/** Empty when it came on standard output. */
	readonly reportPath: string;
	/** Only for Go. */
	readonly goModules: readonly GoModule[];
}

export interface PlacedCoverage {
	readonly files: ReadonlyMap<string, LineHits>;
	/**
	 * True when the tool lists every file with code in the folders that it covers (Go, JaCoCo). Otherwise a missing file
	 * may never have been loaded.
	 */
	readonly listsWholeFolders: boolean;
}

/** Finds the commit's file that a report means by a name. */
type FindFile = (name: string) => string | undefined;

/**
 * Maps a report's files to files of a commit; others are left out.
 *
 * A relative name is tried in the folders that the report states, then in each folder above the report, from the nearest
 * to the checkout's top: a package of a monorepo names files relative to its own folder.
 */
export function placeCoverage(report: CoverageLines, place: CoveragePlace): PlacedCoverage {
	const files = new Map<string, LineHits>();
	const find = finderOf(report, place);
	for (const [name, lines] of report.files) {
		const path = find(name);
		if (path !== undefined) files.set(path, merged(files.get(path), lines));
	}
	return { files, listsWholeFolders: report.naming !== "path" };
}

function merged(first: LineHits | undefined, second: LineHits): LineHits {
	if (first === undefined) return second;
	const lines = new Map(first);
	for (const [line, executed] of second) lines.set(line, executed || lines.get(line) === true);
	return lines;
}

function finderOf(report: CoverageLines, place: CoveragePlace): FindFile {
	switch (report.naming) {
		case "path":
			return pathFinder(report.sources, place);
		case "package":
			return packageFinder(place.files);
		case "module":
			return moduleFinder(place);
	}
}

function pathFinder(
	sources: readonly string[],
	{ reportPath, roots, files }: CoveragePlace,
): FindFile {
	const bases = [...sources, ...foldersAbove(reportPath)];
	return (name) => {
		const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(name);
		const candidates = isAbsolute ? [name] : bases.map((base) => join(base, name));
		for (const candidate of candidates) {
			const path = placePath(candidate, roots);
			if (path !== undefined && files.has(path)) return path;
		}
		return undefined;
	};
}

function foldersAbove(reportPath: string): string[] {
	const folders = reportPath.split("/").slice(0, -1);
	return [...folders.map((_, index) => folders.slice(0, folders.length - index).join("/")), ""];
}

function join(base: string, name: string): string {
	return base === "" ? name : `${base}/${name}`;
}

function packageFinder(files: ReadonlySet<string>): FindFile {
	const byName = Map.groupBy(files, (path) => posix.basename(path));
	return (name) => {
		if (placePath(name, []) === undefined) return undefined;
		const candidates = byName.get(posix.basename(name)) ?? [];
		const [path, ...others] = candidates.filter((one) => `/${one}`.endsWith(`/${name}`));
		return others.length === 0 ? path : undefined;
	};
}

function moduleFinder({ files, roots, goModules }: CoveragePlace): FindFile {
	// A module may be nested in another; the longer name is the inner one.
	const modules = goModules.toSorted((a, b) => b.name.length - a.name.length);
	return (name) => {
		const module = modules.find((one) => name.startsWith(`${one.name}/`));
		// Files outside of any module are named by path.
		if (module === undefined && !/^[./]/.test(name)) return undefined;
		const inside =
			module === undefined ? name : join(module.folder, name.slice(module.name.length + 1));
		const path = placePath(inside, roots);
		return path !== undefined && files.has(path) ? path : undefined;
	};
}
