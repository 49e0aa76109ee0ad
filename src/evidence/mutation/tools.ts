import { findProgram } from "../../process/find-program.ts";
import { quote } from "../../process/sandbox/launch-script.ts";
import type { RunDefinition } from "../checklist.ts";
import { lineRanges } from "../line-ranges.ts";
import type { ChangedModule } from "./module-mutants.ts";

/** The lines of product files to mutate. */
export type MutableLines = Pick<ChangedModule, "path" | "lines">;

/** A mutation testing tool that a repository brings along. */
export interface MutationTool {
	readonly name: string;
	/** Files that it can mutate. */
	readonly files: RegExp;
	/** Its program, relative to a checkout after setup. */
	readonly program: string;
	/** Its run on some lines alone, and where it leaves its report. */
	readonly limitedTo: (files: readonly MutableLines[]) => Pick<RunDefinition, "run" | "report">;
}

/** Characters with a meaning in Stryker's patterns. */
const GLOB = /[[\]{}()*?!]/g;

const STRYKER: MutationTool = {
	name: "stryker",
	files: /\.[cm]?[jt]sx?$/,
	program: "node_modules/.bin/stryker",
	limitedTo: (files) => {
		const places = files.flatMap(({ path, lines }) =>
			lineRanges(lines).map(({ from, to }) => `${path.replace(GLOB, "\\$&")}:${from}-${to}`),
		);
		return {
			run: `node_modules/.bin/stryker run --mutate ${quote(places.join(","))} --reporters json --logLevel error`,
			report: { format: "mutation", path: "reports/mutation/mutation.json" },
		};
	},
};

const TOOLS: readonly MutationTool[] = [STRYKER];

/** A tool with the lines that it can mutate. */
export interface FoundTool {
	readonly tool: MutationTool;
	readonly files: readonly MutableLines[];
}

/** The tools that are in a checkout and can mutate some of these lines; of those for the same files the first. */
export async function findTools(
	checkout: string,
	lines: readonly MutableLines[],
): Promise<FoundTool[]> {
	const found: FoundTool[] = [];
	for (const tool of TOOLS) {
		const files = lines.filter(({ path }) => tool.files.test(path));
		if (files.length === 0 || (await findProgram(tool.program, "", checkout)) === undefined)
			continue;
		found.push({ tool, files });
	}
	return found;
}
