import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { randomId } from "../kernel/ids.ts";
import type { RunDefinition } from "./checklist.ts";
import { followCommand } from "./integrity/followed-files.ts";
import { parseReport } from "./parse-report.ts";
import { countsOf, type ParsedReport } from "./reports/parsed-report.ts";

/** A report that a known runner writes to a place of Sparring's, beside what it prints. */
export interface OwnChannel {
	/** A directory of its own, outside of the checkout, whose name is random in each run. */
	readonly directory: string;
	readonly file: string;
	/** Variables that make the runner write the report; they replace those of the same name. */
	readonly env: Readonly<Record<string, string>>;
}

interface Runner {
	/** One run of it in the lines behind a command. */
	readonly runs: RegExp;
	/** What shows that its reports are set up already. */
	readonly taken: RegExp;
	readonly variable: string;
	readonly options: (file: string) => string;
}

/** In the processes of test files, which load the product, the variable with the path goes before anything is loaded. */
const FORGET =
	"--import=data:text/javascript,if(process.env.NODE_TEST_CONTEXT)process.env.NODE_OPTIONS=''";

const RUNNERS: readonly Runner[] = [
	{
		runs: /\bnode(?:\.exe)?[ \t](?:[^;&|\n]*[ \t])?--test(?![\w-])/g,
		taken: /--test-reporter|--test-isolation|--watch|\bNODE_OPTIONS\b/,
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
		variable: "PYTEST_ADDOPTS",
		options: (file) => `--junitxml=${file}`,
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
	const directory = path.join(parent, randomId(20));
	await mkdir(directory, { recursive: true, mode: 0o700 });
	const file = path.join(directory, "report.xml");
	return { directory, file, env: { [runner.variable]: runner.options(file) } };
}

/**
 * The results of a run: the channel's, which names every test, where they agree with what the runner printed. Where they
 * do not, what was printed counts, unless the channel has failures that it conceals.
 */
export async function readChannel(
	{ file }: OwnChannel,
	printed: ParsedReport | null,
): Promise<ParsedReport | null> {
	const text = await readFile(file, "utf8").catch(() => null);
	if (text === null) return printed;
	const report = parseReport("junit", text);
	if (report.kind !== "cases") return printed;
	const told = countsIn(printed);
	const own = countsOf(report.cases);
	const agrees = told !== null && own.total === told.total && own.failed === told.failed;
	return agrees || own.failed > (told?.failed ?? 0) ? report : printed;
}

function countsIn(report: ParsedReport | null) {
	if (report?.kind === "cases") return countsOf(report.cases);
	return report?.kind === "counts" ? report.counts : null;
}

/** Removes what a run left there. */
export async function closeChannel({ directory }: OwnChannel): Promise<void> {
	await rm(directory, { recursive: true, force: true });
}
