import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { RunDefinition } from "../evidence/checklist.ts";
import { parseReport } from "../formats/parse-report.ts";
import { countsIn, countsOf, type ParsedReport, refuse } from "../formats/reports/parsed-report.ts";
import { randomId } from "../kernel/ids.ts";
import { followCommand } from "../wall/integrity/followed-files.ts";

export interface OwnChannel {
	readonly directory: string;
	readonly file: string;
	readonly format: "junit" | "jest";
	readonly env: Readonly<Record<string, string>>;
}

interface ChannelRunner {
	readonly configs?: readonly string[];
	readonly format: OwnChannel["format"];
	readonly runs: RegExp;
	readonly taken: RegExp;
	readonly variable: string;
	readonly options: (file: string) => string;
	/** Text of a module for a runner that takes no reporter from the variable; `options` load it. */
	readonly module?: (file: string) => string;
}

const loadsModule = (file: string): string => `--require=${path.join(path.dirname(file), ADDING)}`;

// In the processes of test files, which load the product, the variable with the path goes before anything is loaded.
const FORGET =
	"--import=data:text/javascript,if(process.env.NODE_TEST_CONTEXT)process.env.NODE_OPTIONS=''";

// It takes itself out of the variable: nothing that the program starts loads it or sees the path. By `--require`,
// which every Node.js takes.
const ADDING = "add-report.cjs";

const adding = (program: string, args: readonly string[]): string =>
	`if (/(^|[\\\\/])${program}$/.test(process.argv[1] || "")) {
	process.argv.splice(2, 0, ...${JSON.stringify(args)});
	process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(/--require=\\S*${ADDING}/, "");
}
delete require.cache[__filename];
`;

const NAMED = ["js", "mjs", "cjs", "ts", "mts", "cts"];
const configsOf = (name: string): string[] => NAMED.map((ending) => `${name}.config.${ending}`);

const RUNNERS: readonly ChannelRunner[] = [
	{
		runs: /\bnode(?:\.exe)?[ \t](?:[^;&|\n]*[ \t])?--test(?![\w-])/g,
		taken: /--test-reporter|--test-isolation|\bNODE_OPTIONS\b/,
		format: "junit",
		variable: "NODE_OPTIONS",
		options: (file) =>
			[
				"--test-reporter=spec --test-reporter-destination=stdout",
				`--test-reporter=junit --test-reporter-destination=${file}`,
				FORGET,
			].join(" "),
	},
	{
		runs: /(?:^|[\s;&|/])(?:pytest|py\.test)(?![\w./-])/gm,
		taken: /--junit-?xml|\bPYTEST_ADDOPTS\b|\b(?:tox|nox)\b/,
		format: "junit",
		variable: "PYTEST_ADDOPTS",
		// A file that cannot be loaded keeps the others from running otherwise. The exit code stays red.
		options: (file) => `--continue-on-collection-errors --junitxml=${file}`,
	},
	{
		runs: /(?:^|[\s;&|/])vitest(?:\.mjs)?(?![\w./-])/gm,
		taken: /--reporter|--outputFile|\bNODE_OPTIONS\b|\bvitest(?:\.mjs)?[ \t]+(?:bench|list|init)\b/,
		configs: [...configsOf("vitest"), ...configsOf("vite")],
		format: "jest",
		variable: "NODE_OPTIONS",
		options: loadsModule,
		module: (file) =>
			adding("vitest(\\.mjs)?", [
				"--reporter=default",
				"--reporter=json",
				`--outputFile.json=${file}`,
			]),
	},
	{
		runs: /(?:^|[\s;&|/])jest(?:\.js)?(?![\w./-])/gm,
		taken: /--json|--outputFile|\bNODE_OPTIONS\b/,
		format: "jest",
		variable: "NODE_OPTIONS",
		options: loadsModule,
		module: (file) => adding("jest(\\.js)?", ["--json", `--outputFile=${file}`]),
	},
];

/**
 * Opens a channel for a check that names no report, if exactly one run of a known runner stands behind its command.
 *
 * @param parent absolute directory for the channel's own; a path that an option cannot hold gets none
 */
export async function openChannel(
	{ kind, run, report }: Pick<RunDefinition, "kind" | "run" | "report">,
	{
		checkout,
		parent,
		env,
	}: {
		readonly checkout: string;
		readonly parent: string;
		readonly env: Readonly<Record<string, string>>;
	},
): Promise<OwnChannel | null> {
	if (kind !== "acceptance" || report !== undefined || !/^[\w./-]+$/.test(parent)) return null;
	const readBase = (file: string): Promise<string | null> =>
		readFile(path.join(checkout, file), "utf8").catch(() => null);
	const manifest = await readBase("package.json");
	const { closure } = await followCommand(run, { readBase, manifest, reach: "tools" });
	const lines = closure.lines.join("\n");
	const found = RUNNERS.flatMap((runner) => [...lines.matchAll(runner.runs)].map(() => runner));
	const [runner] = found;
	if (runner === undefined || found.length > 1 || runner.taken.test(lines)) return null;
	if (env[runner.variable] !== undefined) return null;
	for (const config of runner.configs ?? [])
		if (/\b(?:reporters|outputFile)\b/.test((await readBase(config)) ?? "")) return null;
	const { format, variable, options, module } = runner;
	const directory = path.join(parent, randomId(20));
	await mkdir(directory, { recursive: true, mode: 0o700 });
	const file = path.join(directory, "report");
	if (module !== undefined) await writeFile(path.join(directory, ADDING), module(file));
	return { directory, file, format, env: { [variable]: options(file) } };
}

/**
 * Results of a run, from the channel and from what the runner printed.
 *
 * Where the baseline named its cases (`named`) the channel worked there, and counts: without a report that names them
 * nothing passed, whatever is printed. Else it counts unless more cases were printed, which it saw only a part of, and
 * always for the failures that the output conceals. More failures than it has count as they were printed.
 */
export async function readChannel(
	{ file, format }: OwnChannel,
	printed: ParsedReport | null,
	named: boolean,
): Promise<ParsedReport | null> {
	const text = await readFile(file, "utf8").catch(() => null);
	const report = text === null ? null : parseReport(format, text);
	const told = printed === null ? null : countsIn(printed);
	const failed = told?.failed ?? 0;
	if (report?.kind !== "cases") {
		if (!named || failed > 0 || printed?.kind === "invalid") return printed;
		return refuse("the runner left no report for Sparring, although it did at the baseline");
	}
	const own = countsOf(report.cases);
	if (failed > own.failed) return printed;
	if (printed?.kind === "invalid" && (printed.failed?.length ?? 0) > own.failed) return printed;
	// One that has fewer cases than were printed saw a part of the runs.
	const isWhole = own.total > 0 && own.total >= (told?.total ?? 0);
	return named || isWhole || own.failed > failed ? report : printed;
}
