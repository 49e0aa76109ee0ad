import type { RunDefinition } from "../evidence/checklist.ts";
import { lineRanges } from "../evidence/line-ranges.ts";
import { findProgram } from "../process/find-program.ts";
import { quote } from "../process/sandbox/launch-script.ts";
import type { ChangedModule } from "./module-mutants.ts";
import { PYTHON_DRIVER } from "./python-driver.ts";

/** The lines of product files to mutate. */
export type MutableLines = Pick<ChangedModule, "path" | "lines">;

/** What a tool is run with. */
export interface ToolLimits {
	/** The commit that the lines are compared with. */
	readonly start: string;
	/** Command of the acceptance checks. */
	readonly tests: string;
	/** Milliseconds that all mutants may take, and the tests on one of them. */
	readonly timeoutMs: number;
	readonly patienceMs: number;
}

/** A run of a tool on some lines alone, and where it leaves its report. */
export type ToolRun = Pick<RunDefinition, "run" | "report">;

/** A mutation testing tool that a repository brings along. */
interface MutationTool {
	readonly name: string;
	/** Files that it can mutate. */
	readonly files: RegExp;
	/** Its program, relative to a checkout after setup, or a name on the search path; the first that is there counts. */
	readonly programs: readonly string[];
	readonly runOn: (program: string, files: readonly MutableLines[], limits: ToolLimits) => ToolRun;
}

/** Characters with a meaning in Stryker's patterns, which it takes for themselves in brackets. */
const GLOB = /[[{(*?]/g;

/** A path as a pattern of its own. Stryker's list is split at commas, and nothing spells one but any character. */
const escaped = (path: string): string => path.replace(GLOB, "[$&]").replaceAll(",", "?");

const STRYKER: MutationTool = {
	name: "stryker",
	files: /\.[cm]?[jt]sx?$/,
	programs: ["node_modules/.bin/stryker"],
	runOn: (program, files) => {
		const places = files.flatMap(({ path, lines }) =>
			lineRanges(lines).map(({ from, to }) => `${escaped(path)}:${from}-${to}`),
		);
		return {
			run: `${quote(program)} run --mutate ${quote(places.join(","))} --reporters json --logLevel error`,
			report: { format: "mutation", path: "reports/mutation/mutation.json" },
		};
	},
};

/** Of the time, what is left for the report. */
const SHARE = 0.9;

const python = (name: string): MutationTool => ({
	name,
	files: /\.py$/,
	programs: [`.venv/bin/${name}`, `venv/bin/${name}`, name],
	runOn: (program, files, { start, tests, timeoutMs, patienceMs }) => {
		const wanted = Object.fromEntries(files.map(({ path, lines }) => [path, lines]));
		const words = [
			name,
			program,
			start,
			tests,
			String((timeoutMs * SHARE) / 1_000),
			String(patienceMs / 1_000),
			JSON.stringify(wanted),
		];
		return {
			run: `python3 -c ${quote(PYTHON_DRIVER)} ${words.map(quote).join(" ")}`,
			report: { format: "mutation" },
		};
	},
});

/** Of the tools for the same files the first that is there is run. */
const TOOLS: readonly MutationTool[] = [STRYKER, python("cosmic-ray"), python("mutmut")];

/** A tool that is there, with the files that it can mutate, and its run on their changed lines. */
export interface FoundTool extends Pick<MutationTool, "name" | "files"> {
	readonly run: (limits: ToolLimits) => ToolRun;
}

/**
 * The tools that are there and can mutate some of these lines.
 *
 * @param checkout absolute directory after its setup
 * @param searchPath value of `PATH`
 */
export async function findTools(
	checkout: string,
	searchPath: string,
	lines: readonly MutableLines[],
): Promise<FoundTool[]> {
	const found: FoundTool[] = [];
	for (const { name, files, programs, runOn } of TOOLS) {
		const own = lines.filter(
			({ path }) => files.test(path) && !found.some((tool) => tool.files.test(path)),
		);
		if (own.length === 0) continue;
		for (const program of programs) {
			const place = await findProgram(program, searchPath, checkout);
			if (place === undefined) continue;
			found.push({ name, files, run: (limits) => runOn(place, own, limits) });
			break;
		}
	}
	return found;
}
