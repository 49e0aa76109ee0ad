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

export interface IgnoredFiles {
	readonly outside: number;
	readonly untracked: number;
	readonly ambiguous: number;
	readonly refused: number;
}

export interface PlacedCoverage {
	readonly files: ReadonlyMap<string, LineHits>;
	readonly ignored: IgnoredFiles;
	/**
	 * True when the tool lists every file with code in the folders that it covers (Go, JaCoCo). Otherwise a missing file
	 * may never have been loaded.
	 */
	readonly listsWholeFolders: boolean;
}

type FoundPath = { readonly path: string } | keyof IgnoredFiles;

/**
 * Maps a report's files to files of a commit. Counts files that cannot be mapped.
 *
 * A relative name is tried in the folders that the report states, then in each folder above the report, from the nearest
 * to the checkout's top: a package of a monorepo names files relative to its own folder.
 */
export function placeCoverage(report: CoverageLines, place: CoveragePlace): PlacedCoverage {
	const files = new Map<string, LineHits>();
	const ignored = { outside: 0, untracked: 0, ambiguous: 0, refused: 0 };
	const find = finderOf(report, place);
	for (const [name, lines] of report.files) {
		const found = find(name);
		if (typeof found === "string") ignored[found] += 1;
		else files.set(found.path, merged(files.get(found.path), lines));
	}
	return { files, ignored, listsWholeFolders: report.naming !== "path" };
}

function merged(first: LineHits | undefined, second: LineHits): LineHits {
	if (first === undefined) return second;
	const lines = new Map(first);
	for (const [line, executed] of second) lines.set(line, executed || lines.get(line) === true);
	return lines;
}

function finderOf(report: CoverageLines, place: CoveragePlace): (name: string) => FoundPath {
	switch (report.naming) {
		case "path":
			return pathFinder(report.sources, place);
		case "package":
			return packageFinder(place.files);
		case "module":
			return moduleFinder(place);
	}
}

function pathFinder(sources: readonly string[], place: CoveragePlace): (name: string) => FoundPath {
	const bases = [...sources, ...foldersAbove(place.reportPath)];
	return (name) => {
		const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(name);
		const candidates = isAbsolute ? [name] : bases.map((base) => join(base, name));
		let why: keyof IgnoredFiles = "outside";
		for (const candidate of candidates) {
			const placed = placePath(candidate, place.roots);
			if (placed.kind === "inside" && place.files.has(placed.path)) return placed;
			if (placed.kind !== "outside") why = placed.kind === "inside" ? "untracked" : "refused";
		}
		return why;
	};
}

function foldersAbove(reportPath: string): string[] {
	const folders = reportPath.split("/").slice(0, -1);
	return [...folders.map((_, index) => folders.slice(0, folders.length - index).join("/")), ""];
}

function join(base: string, name: string): string {
	return base === "" ? name : `${base}/${name}`;
}

function packageFinder(files: ReadonlySet<string>): (name: string) => FoundPath {
	const byName = new Map<string, string[]>();
	for (const path of files) {
		const name = path.slice(path.lastIndexOf("/") + 1);
		const same = byName.get(name);
		if (same === undefined) byName.set(name, [path]);
		else same.push(path);
	}
	return (name) => {
		if (placePath(name, []).kind !== "inside") return "refused";
		const candidates = byName.get(name.slice(name.lastIndexOf("/") + 1)) ?? [];
		const [path, ...others] = candidates.filter((one) => `/${one}`.endsWith(`/${name}`));
		if (path === undefined) return "untracked";
		return others.length === 0 ? { path } : "ambiguous";
	};
}

function moduleFinder({ files, roots, goModules }: CoveragePlace): (name: string) => FoundPath {
	// A module may be nested in another; the longer name is the inner one.
	const modules = goModules.toSorted((a, b) => b.name.length - a.name.length);
	return (name) => {
		const module = modules.find((one) => name.startsWith(`${one.name}/`));
		// Files outside of any module are named by path.
		if (module === undefined && !/^[./]/.test(name)) return "outside";
		const inside =
			module === undefined ? name : join(module.folder, name.slice(module.name.length + 1));
		const placed = placePath(inside, roots);
		if (placed.kind !== "inside") return placed.kind;
		return files.has(placed.path) ? placed : "untracked";
	};
}
