import { quote } from "../kernel/quote.ts";
import { type Field, isMapping, seatFields, type TaskField } from "./field.ts";
import { enabledOverlay, fileFacts, type RuleInput } from "./file-facts.ts";
import { FallbackChains, kinOf, relativesOf, shownName, withFallback } from "./kinship.ts";
import type { Reporter } from "./reporter.ts";
import {
	reportAgentName,
	reportAgents,
	reportFallbacks,
	reportTieBreaker,
} from "./rules-agents.ts";
import { reportConditions, reportConfidence, reportGates } from "./rules-overlays.ts";
import {
	reportIdleBudgets,
	reportIdleHumans,
	reportMachines,
	reportMergeMessage,
	reportNotifiers,
	reportSandbox,
	reportUnmerged,
} from "./rules-run.ts";
import { reportPaths, reportReviews, reportSubtasks, reportTasks } from "./rules-tasks.ts";
import { isReservedTaskId, nameProblem } from "./safe-name.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";

function reportVerification(input: RuleInput): void {
	const { root, tasks, report } = input;
	const agents = root.at("agents");
	const named = root.at("verifier");
	const alias = root.at("verification").at("agent");
	for (const field of [named, alias]) {
		reportAgentName(field, input);
		if (field.text !== undefined && isModel(agents, field.text))
			report.error(
				field,
				`the verifier ${shownName(field.text)} is a model by API, which cannot write tests`,
				"name an agent that works in a checkout, such as one of adapter claude, codex or command",
			);
	}
	if (named.text !== undefined && alias.text !== undefined && named.text !== alias.text)
		report.error(
			alias,
			`verification.agent ${quote(alias.text)} differs from verifier ${quote(named.text)}`,
			"they mean the same: remove one of them",
		);
	reportTimeouts(root.at("verification"), report);
	reportKin(named.present ? named : alias, input);
	if (named.present || alias.present) return;
	for (const { id, field } of tasks) {
		const flag = field.at("requires_verification");
		if (flag.value === true && !hasChallenger(field, agents))
			report.error(
				flag,
				`task ${quote(id)} requires verification, and nobody can verify it`,
				"name an agent with `verifier`, or give the task a pair: its challenger verifies then",
			);
	}
}

function reportTimeouts(verification: Field, report: Reporter): void {
	const llm = verification.at("nats").at("llm_timeout");
	if (llm.present && verification.at("timeout").present)
		report.error(
			llm,
			"verification.nats.llm_timeout and verification.timeout limit the same calls",
			"remove one of them",
		);
}

function reportKin(verifier: Field, { tasks, chains, report }: RuleInput): void {
	const relatives = relativesOf(verifier.text, chains);
	const [head] = relatives;
	if (head === undefined) return;
	const told = new Set<string>();
	for (const { id, field } of tasks) {
		if (field.at("requires_verification").value === false) continue;
		for (const player of playersOf(field)) {
			const kin = told.has(player) ? null : kinOf(relatives, chains.of(player), chains);
			told.add(player);
			if (kin === null) continue;
			report.warning(
				verifier,
				`the verifier ${withFallback(head.name, kin.of)} is of the same family (${kin.family}) as the player ${withFallback(player, kin.agent)} of task ${shownName(id)}`,
				"who builds something writes tests that share its mistakes; name an agent of another family",
			);
		}
	}
}

function playersOf(task: Field): string[] {
	const { player, coach } = seatFields(task);
	const { value } = task.at("overlays").at("paired_workflow").at("role_switch");
	const swaps = value === "subtask" || value === "checkpoint";
	return [player, ...(swaps ? [coach] : [])].flatMap(({ text }) => text ?? []);
}

const isModel = (agents: Field, name: string): boolean =>
	agents.at(name).at("adapter").value === "model";

function hasChallenger(task: Field, agents: Field): boolean {
	const name = enabledOverlay(task, "paired_workflow")?.at("challenger_agent").text;
	return name !== undefined && !isModel(agents, name);
}

const FORMATS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(KINDS_OF_FORMAT));

const SUMMED: ReadonlySet<string> = new Set(["junit", "trx"]);

function reportFormats({ root, report }: RuleInput): void {
	const allKinds = new Set([...FORMATS.values()].flat());
	for (const { field: check } of root.at("checks").entries()) {
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

const NOUNS: Readonly<Record<string, string>> = { agents: "agent", checks: "check", tasks: "task" };

function reportNames({ root, report }: RuleInput): void {
	for (const [kind, noun] of Object.entries(NOUNS))
		for (const { key, field } of root.at(kind).entries()) {
			const problem = nameProblem(key);
			if (problem !== undefined) report.keyError(field, `${noun} ${quote(key)} ${problem}`);
		}
}

function reportTaskNames({ root, report }: RuleInput): void {
	const seen = new Map<string, string>();
	for (const { key, field } of root.at("tasks").entries()) {
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

function reportMissingTasks({ root, tasks, report }: RuleInput): void {
	const all = root.at("tasks");
	if (tasks.length === 0 && (!all.present || isMapping(all.value)))
		report.error(all, "the workflow has no tasks", "add one under `tasks`");
}

function reportMissingChecks({ root, report }: RuleInput): void {
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

const RULES: readonly ((input: RuleInput) => void)[] = [
	reportNames,
	reportTaskNames,
	reportPaths,
	reportAgents,
	reportSandbox,
	reportMachines,
	reportFallbacks,
	reportIdleBudgets,
	reportVerification,
	reportTieBreaker,
	reportTasks,
	reportFormats,
	reportNotifiers,
	reportMergeMessage,
	reportUnmerged,
	reportSubtasks,
	reportReviews,
	reportConditions,
	reportConfidence,
	reportGates,
	reportMissingChecks,
	reportIdleHumans,
];

/**
 * Rules that a schema cannot express because they concern several keys. Works on the file as written and ignores
 * values of the wrong type, so that all mistakes are reported at once.
 */
export function reportRules(
	root: Field,
	tasks: readonly TaskField[],
	report: Reporter,
	mayLackTasks = false,
): void {
	const chains = new FallbackChains(root.at("agents"));
	const input = { root, tasks, chains, facts: fileFacts(root), report };
	for (const rule of RULES) rule(input);
	if (!mayLackTasks) reportMissingTasks(input);
}
