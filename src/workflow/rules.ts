import { isFields, type Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { isWebhookHeader } from "../kernel/webhook.ts";
import { entriesOf, type FileDraft, listOf, type TaskDraft, textOf } from "./draft.ts";
import { Agents, shownName, withFallback } from "./kinship.ts";
import type { Reporter, RuleInput } from "./reporter.ts";
import {
	reportAgentName,
	reportAgents,
	reportFallbacks,
	reportTieBreaker,
} from "./rules-agents.ts";
import { reportOverlays } from "./rules-overlays.ts";
import {
	reportCopies,
	reportIdleBudgets,
	reportIdleSandbox,
	reportMergeMessage,
	reportUnmerged,
} from "./rules-run.ts";
import { reportReviews, reportRoleSwitches, reportTasks } from "./rules-tasks.ts";
import { isReservedTaskId, nameProblem } from "./safe-name.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";

function reportVerification(input: RuleInput): void {
	const { file, agents, report } = input;
	const { agent: alias, timeout, nats } = file.verification ?? {};
	const aliasAt = ["verification", "agent"];
	for (const [name, path] of [
		[textOf(file.verifier), ["verifier"]],
		[textOf(alias), aliasAt],
	] as const) {
		reportAgentName(name, path, input);
		if (name !== undefined && agents.adapter(name) === "model")
			report.error(
				path,
				`the verifier ${shownName(name)} is a model by API, which cannot write tests`,
				"name an agent that works in a checkout, such as one of adapter claude, codex or command",
			);
	}
	const [named, meant] = [textOf(file.verifier), textOf(alias)];
	if (named !== undefined && meant !== undefined && named !== meant)
		report.error(
			aliasAt,
			`verification.agent ${quote(meant)} differs from verifier ${quote(named)}`,
			"they mean the same: remove one of them",
		);
	if (nats?.llm_timeout !== undefined && timeout !== undefined)
		report.error(
			["verification", "nats", "llm_timeout"],
			"verification.nats.llm_timeout and verification.timeout limit the same calls",
			"remove one of them",
		);
	if (file.verifier !== undefined) reportKin(named, ["verifier"], input);
	else if (alias !== undefined) reportKin(meant, aliasAt, input);
	else reportUnverified(input);
}

function reportUnverified({ tasks, agents, report }: RuleInput): void {
	for (const { id, task, pair, at } of tasks) {
		const challenger = textOf(pair?.challenger_agent);
		const isJudged = challenger !== undefined && agents.adapter(challenger) !== "model";
		if (task.requires_verification === true && !isJudged)
			report.error(
				at("requires_verification"),
				`task ${quote(id)} requires verification, and nobody can verify it`,
				"name an agent with `verifier`, or give the task a pair: its challenger verifies then",
			);
	}
}

function reportKin(
	verifier: string | undefined,
	path: Path,
	{ tasks, agents, report }: RuleInput,
): void {
	const relatives = agents.relatives(verifier);
	const [head] = relatives;
	if (head === undefined) return;
	const told = new Set<string>();
	for (const { id, task, player, coach } of tasks) {
		if (task.requires_verification === false) continue;
		const swap = task.overlays?.paired_workflow?.role_switch;
		const players = [player, ...(swap === "subtask" || swap === "checkpoint" ? [coach] : [])];
		for (const name of players.filter((each) => each !== undefined)) {
			const kin = told.has(name) ? null : agents.kin(relatives, name);
			told.add(name);
			if (kin === null) continue;
			report.warning(
				path,
				`the verifier ${withFallback(head.name, kin.of)} is of the same family (${kin.family}) as the player ${withFallback(name, kin.agent)} of task ${shownName(id)}`,
				"who builds something writes tests that share its mistakes; name an agent of another family",
			);
		}
	}
}

const FORMATS: ReadonlyMap<unknown, readonly string[]> = new Map(Object.entries(KINDS_OF_FORMAT));

const ALL_KINDS: ReadonlySet<string> = new Set([...FORMATS.values()].flat());

function reportFormats({ file, report }: RuleInput): void {
	for (const [name, check] of entriesOf(file.checks)) {
		const { format, path } = check?.report ?? {};
		const at = ["checks", name, "report"];
		if (/[*?{]/.test(textOf(path) ?? "") && format !== "junit" && format !== "trx")
			report.error(
				[...at, "path"],
				`${quote(String(path))} is a glob, which only junit and trx can have`,
			);
		const kind = textOf(check?.kind);
		const kinds = FORMATS.get(format);
		if (kinds === undefined || kind === undefined || !ALL_KINDS.has(kind) || kinds.includes(kind))
			continue;
		const fitting = [...FORMATS].flatMap(([each, fits]) => (fits.includes(kind) ? [each] : []));
		report.error(
			[...at, "format"],
			`report format ${quote(String(format))} is for kind ${kinds.join(" or ")}, not ${kind}`,
			`a check of kind ${kind} can use: ${fitting.join(", ")}`,
		);
	}
}

function reportNames({ file, report }: RuleInput): void {
	for (const kind of ["agents", "checks", "tasks"] as const)
		for (const name of namesIn(file[kind])) {
			const problem = nameProblem(name);
			if (problem !== undefined)
				report.keyError([kind, name], `${kind.slice(0, -1)} ${quote(name)} ${problem}`);
		}
}

function reportServers({ file, report }: RuleInput): void {
	const servers = entriesOf(file.agents).flatMap(([agent, value]) =>
		namesIn(value?.mcp).map((name) => ({ name, path: ["agents", agent, "mcp", name] })),
	);
	// Coding agents make the names of tools of it, in which some of them part it at an underscore.
	for (const { name, path } of servers.filter(
		(each) => !/^[A-Za-z][A-Za-z0-9-]{0,39}$/.test(each.name),
	))
		report.keyError(
			path,
			`${quote(name)} is no name of a server`,
			"at most 40 letters, digits and dashes, a letter first",
		);
}

function reportHeaders({ file, report }: RuleInput): void {
	const headers = (["on_created", "on_t2_gate", "on_end"] as const).flatMap((key) =>
		listOf(file.human?.notify?.[key]).flatMap((notifier, index) =>
			(notifier?.type === "webhook" ? namesIn(notifier.headers) : []).map((name) => ({
				name,
				path: ["human", "notify", key, index, "headers", name],
			})),
		),
	);
	for (const { name, path } of headers.filter((each) => !isWebhookHeader(each.name)))
		report.keyError(
			path,
			`the header ${quote(name)} cannot be set`,
			"name a valid header that the connection does not set itself",
		);
}

const namesIn = (value: unknown): string[] => (isFields(value) ? Object.keys(value) : []);

function reportTaskNames({ file, report }: RuleInput): void {
	const seen = new Map<string, string>();
	for (const name of namesIn(file.tasks)) {
		if (isReservedTaskId(name))
			report.keyError(
				["tasks", name],
				`a task cannot be named ${quote(name)}`,
				"that name is reserved for the run itself; choose another",
			);
		const twin = seen.get(name.toLowerCase());
		if (twin === undefined) seen.set(name.toLowerCase(), name);
		else
			report.keyError(
				["tasks", name],
				`task ${quote(name)} differs from ${quote(twin)} only in case`,
				"some file systems cannot hold both branches; rename one",
			);
	}
}

function reportMissingChecks({ file, report }: RuleInput): void {
	if (!entriesOf(file.checks).some(([, check]) => check?.kind === "acceptance"))
		report.warning(
			["checks"],
			"no acceptance check: a task of this workflow can complete only unchecked",
			"add a check with `kind: acceptance` that runs your tests",
		);
}

const RULES: readonly ((input: RuleInput) => void)[] = [
	reportNames,
	reportServers,
	reportHeaders,
	reportTaskNames,
	reportCopies,
	reportAgents,
	reportIdleSandbox,
	reportFallbacks,
	reportIdleBudgets,
	reportVerification,
	reportTieBreaker,
	reportTasks,
	reportFormats,
	reportMergeMessage,
	reportUnmerged,
	reportRoleSwitches,
	reportReviews,
	reportOverlays,
	reportMissingChecks,
];

/**
 * Rules that concern several keys; those of one value stand in the schema. Works on the file as written and ignores
 * values of the wrong type, so that all mistakes are reported at once.
 */
export function reportRules(
	file: FileDraft,
	tasks: readonly TaskDraft[],
	report: Reporter,
	mayLackTasks = false,
): void {
	const input = { file, tasks, agents: new Agents(file.agents), report };
	for (const rule of RULES) rule(input);
	if (!mayLackTasks && tasks.length === 0 && (file.tasks === undefined || isFields(file.tasks)))
		report.error(["tasks"], "the workflow has no tasks", "add one under `tasks`");
}
