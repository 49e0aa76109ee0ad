import { quote } from "./diagnostic.ts";
import { FallbackChains } from "./fallback-chains.ts";
import { type Field, isMapping } from "./field.ts";
import { fileFacts } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import {
	reportAgentName,
	reportAgents,
	reportFallbacks,
	reportTieBreaker,
	reportTieBreakerName,
} from "./rules-agents.ts";
import { reportConditions, reportConfidence, reportGates } from "./rules-overlays.ts";
import {
	reportIdleBudgets,
	reportMachines,
	reportMergeMessage,
	reportNotifiers,
	reportSandbox,
	reportUnmerged,
} from "./rules-run.ts";
import { reportPaths, reportReviews, reportSubtasks, reportTasks } from "./rules-tasks.ts";
import { reportVerification } from "./rules-verification.ts";
import { isReservedTaskId, nameProblem } from "./safe-name.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";
import type { TaskField } from "./task-field.ts";

/** Formats by name, with the kinds as plain words. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(KINDS_OF_FORMAT));

/** Formats whose reports may be several files. */
const SUMMED: ReadonlySet<string> = new Set(["junit", "trx"]);

/** Report formats that cannot hold the results of their check's kind. */
function reportFormats(checks: Field, report: Reporter): void {
	const allKinds = new Set([...FORMATS.values()].flat());
	for (const { field: check } of checks.entries()) {
		const format = check.at("report").at("format");
		const path = check.at("report").at("path");
		if (/[*?{]/.test(path.text ?? "") && !SUMMED.has(format.text ?? "")) {
			report.error(
				path,
				`${quote(String(path.value))} is a glob, which only junit and trx can have`,
			);
		}
		const kind = check.at("kind").text;
		const kinds = FORMATS.get(format.text ?? "");
		if (kinds === undefined || kind === undefined || !allKinds.has(kind) || kinds.includes(kind))
			continue;
		const fitting = [...FORMATS].flatMap(([name, fits]) => (fits.includes(kind) ? [name] : []));
		report.error(
			format,
			`report format ${quote(String(format.value))} is for kind ${kinds.join(" or ")}, not ${kind}`,
			`a check of kind ${kind} can use: ${fitting.join(", ")}`,
		);
	}
}

/**
 * The second pass: rules that a schema cannot express because they concern several keys.
 *
 * Works on the file as written and ignores values of the wrong type, so that all mistakes are reported at once.
 *
 * @param tasks each task over `defaults`, in the order of the file
 * @param mayLackTasks the file is about to get its tasks
 */
export function reportRules(
	root: Field,
	tasks: readonly TaskField[],
	report: Reporter,
	mayLackTasks = false,
): void {
	for (const kind of ["agents", "checks", "tasks"])
		for (const { key, field } of root.at(kind).entries()) {
			const problem = nameProblem(key);
			if (problem !== undefined) report.keyError(field, `${NOUNS[kind]} ${quote(key)} ${problem}`);
		}
	reportTaskNames(root.at("tasks"), report);
	reportPaths(root, tasks, report);
	reportAgents(root.at("agents"), report);
	reportSandbox(root.at("sandbox"), report);
	reportMachines(root, report);
	const chains = new FallbackChains(root.at("agents"));
	reportFallbacks(chains, tasks, report);
	reportIdleBudgets(root, tasks, chains, report);
	const agents = root.at("agents").keys();
	reportTieBreakerName(root.at("tie_breaker"), agents, report);
	reportAgentName(root.at("planner"), agents, report);
	reportVerification(root, tasks, chains, report);
	reportTieBreaker(root, tasks, chains, report);
	reportTasks(tasks, agents, report);
	reportFormats(root.at("checks"), report);
	reportNotifiers(root.at("human").at("notify"), report);
	reportMergeMessage(root.at("merge").at("message"), tasks, report);
	reportUnmerged(root.at("merge").at("into"), tasks, report);
	reportOverlays(root, tasks, chains, report);
	if (!mayLackTasks) reportMissingTasks(root, tasks, report);
	reportMissingChecks(root, report);
}

/** Rules about subtasks, reviews and what is added to the plain loop. */
function reportOverlays(
	root: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	const facts = fileFacts(root);
	reportSubtasks(tasks, report);
	reportReviews(root, tasks, report);
	reportConditions(tasks, facts, report);
	reportConfidence(tasks, { chains, facts }, report);
	reportGates(tasks, facts, report);
}

const NOUNS: Readonly<Record<string, string>> = { agents: "agent", checks: "check", tasks: "task" };

function reportTaskNames(tasks: Field, report: Reporter): void {
	const seen = new Map<string, string>();
	for (const { key, field } of tasks.entries()) {
		if (isReservedTaskId(key))
			report.keyError(
				field,
				`a task cannot be named ${quote(key)}`,
				"that name is reserved for the run itself; choose another",
			);
		const twin = seen.get(key.toLowerCase());
		if (twin === undefined) seen.set(key.toLowerCase(), key);
		else
			report.keyError(
				field,
				`task ${quote(key)} differs from ${quote(twin)} only in case`,
				"some file systems cannot hold both branches; rename one",
			);
	}
}

function reportMissingTasks(root: Field, tasks: readonly TaskField[], report: Reporter): void {
	const all = root.at("tasks");
	if (tasks.length === 0 && (!all.present || isMapping(all.value)))
		report.error(all, "the workflow has no tasks", "add one under `tasks`");
}

function reportMissingChecks(root: Field, report: Reporter): void {
	const kinds = root
		.at("checks")
		.entries()
		.map(({ field }) => field.at("kind").value);
	if (!kinds.includes("acceptance"))
		report.warning(
			root.at("checks"),
			"no acceptance check: a task of this workflow can complete only unchecked",
			"add a check with `kind: acceptance` that runs your tests",
		);
}
