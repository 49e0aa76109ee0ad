import { isFields, type Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { aboutPath } from "./complaints.ts";
import { type FileDraft, listOf, type TaskDraft, textOf, wordsOf } from "./draft.ts";
import { HARNESSES, harnessNamed } from "./harnesses.ts";
import { shownName } from "./kinship.ts";
import { findCycles } from "./order.ts";
import type { Reporter, RuleInput } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { NO_COACH } from "./short-forms.ts";

export function reportTasks(input: RuleInput): void {
	const { file, tasks, report } = input;
	for (const { task, at } of tasks)
		for (const { text, index } of wordsOf(task.context_files)) {
			const problem = aboutPath(text);
			if (problem !== undefined) report.error(at("context_files", index), problem.message);
		}
	reportAgentName(file.planner, ["planner"], input);
	const inFile = shortSeats({ task: file, at: (key) => [key] });
	const known = [...new Set([...input.agents.names, ...HARNESSES])];
	for (const { text, path } of [...inFile, ...tasks.flatMap(shortSeats)])
		reportAgentName(text, path, input, suggestion(text ?? "", known));
	// A task that is not a mapping has been reported as such.
	for (const task of tasks.filter(({ own }) => isFields(own))) {
		const short = [...inFile, ...shortSeats(task)].map(({ text }) => text);
		reportSeatNames(task, short, input);
		reportDifference(task, report);
		reportSeats(task, inFile.length > 0, report);
	}
	reportDependencies(input);
}

interface ShortSeats {
	readonly task: Pick<FileDraft, "player" | "coach">;
	readonly at: (key: string) => Path;
}

const shortSeats = ({ task, at }: ShortSeats): { text: string | undefined; path: Path }[] =>
	(["player", "coach"] as const)
		.filter((seat) => task[seat] !== undefined && task[seat] !== NO_COACH)
		.map((seat) => ({ text: textOf(task[seat]), path: at(seat) }));

function reportSeatNames(
	{ task, at }: TaskDraft,
	short: readonly (string | undefined)[],
	input: RuleInput,
): void {
	const { driver_agent: driver, challenger_agent: challenger } =
		task.overlays?.paired_workflow ?? {};
	const challengerAt = at("overlays", "paired_workflow", "challenger_agent");
	for (const [name, path] of [
		[textOf(task.agent), at("agent")],
		[textOf(driver), at("overlays", "paired_workflow", "driver_agent")],
		[textOf(challenger), challengerAt],
	] as const)
		if (!short.includes(name)) reportAgentName(name, path, input);
	const name = textOf(driver);
	if (name !== undefined && driver === challenger)
		input.report.error(challengerAt, ...sameAgent(name, short.includes(name)));
}

function reportSeats({ id, task, at }: TaskDraft, isShort: boolean, report: Reporter): void {
	const pair = task.overlays?.paired_workflow;
	if (pair?.enabled !== true) {
		if (task.agent === undefined)
			report.keyError(
				at(),
				`task ${quote(id)} needs an agent`,
				"add `agent` or enable paired_workflow, for it or in `defaults`",
			);
		return;
	}
	for (const [seat, name] of [
		["driver_agent", "player"],
		["challenger_agent", "coach"],
	] as const)
		if (pair[seat] === undefined)
			report.keyError(
				at("overlays", "paired_workflow"),
				`paired_workflow of task ${quote(id)} needs ${seat}`,
				isShort ? `add \`${seat}\`, or name a \`${name}\`` : `add \`${seat}\``,
			);
	const [agent, driver] = [textOf(task.agent), textOf(pair.driver_agent)];
	if (agent !== undefined && driver !== undefined && agent !== driver)
		report.error(
			at("agent"),
			`agent ${quote(agent)} must equal driver_agent ${quote(driver)}`,
			"remove `agent`: the pair defines the seats",
		);
}

/** The long form's keys of a task win, so that what its short ones say differently would be lost. */
function reportDifference(
	{ task, player, coach = NO_COACH, at }: TaskDraft,
	report: Reporter,
): void {
	for (const [seat, named] of [
		["player", player],
		["coach", coach],
	] as const) {
		const text = textOf(task[seat]);
		if (text === undefined || named === undefined || text === named) continue;
		report.error(
			at(seat),
			`${seat} ${quote(text)} contradicts the other keys of the task, which name ${quote(named)}`,
			"they are about the same seat: remove one of them",
		);
	}
}

const sameAgent = (name: string, isShort: boolean): [message: string, hint: string] =>
	isShort
		? [
				"player and coach must differ",
				`name another agent as coach; a second one of the same kind needs an entry: \`agents: { reviewer: { adapter: ${harnessNamed(name) ?? "claude"} } }\``,
			]
		: ["driver_agent and challenger_agent must differ", "name another agent as challenger"];

function reportDependencies({ tasks, report }: RuleInput): void {
	const ids = tasks.map(({ id }) => id);
	const known = new Set(ids);
	const edges = new Map(
		tasks.map((each) => [each.id, { ...each, needs: wordsOf(each.task.depends_on) }]),
	);
	for (const { at, needs } of edges.values())
		for (const { text, index } of needs)
			if (!known.has(text))
				report.error(at("depends_on", index), `unknown task ${quote(text)}`, suggestion(text, ids));
	const graph = [...edges].map(([id, { needs }]) => [id, needs.map(({ text }) => text)] as const);
	for (const cycle of findCycles(new Map(graph))) {
		const [first = "", second = first] = cycle;
		const from = edges.get(first);
		const edge = from?.needs.find(({ text }) => text === second);
		if (from !== undefined && edge !== undefined)
			report.error(
				from.at("depends_on", edge.index),
				`depends_on has a cycle: ${[...cycle, first].map(shownName).join(" -> ")}`,
				"remove one of these dependencies",
			);
	}
}

export function reportRoleSwitches({ tasks, report }: RuleInput): void {
	for (const each of tasks) {
		const ids = listOf(each.task.subtasks).flatMap((subtask) => textOf(subtask?.id) ?? []);
		reportRoleSwitch(each, ids, report);
		reportCheckpoints(each, ids, report);
	}
}

function reportRoleSwitch(
	{ id, pair, at }: TaskDraft,
	ids: readonly string[],
	report: Reporter,
): void {
	const way = pair?.role_switch;
	const count = listOf(pair?.checkpoints).length;
	const path = at("overlays", "paired_workflow", "role_switch");
	if (way === "checkpoint" && count === 0)
		report.error(
			path,
			"role_switch: checkpoint requires checkpoints",
			"add `checkpoints` with numbers of turns or ids of subtasks, such as [2, core]",
		);
	if (way !== "checkpoint" && count > 0)
		report.keyError(
			at("overlays", "paired_workflow", "checkpoints"),
			"checkpoints require role_switch: checkpoint",
			"write `role_switch: checkpoint`, or remove `checkpoints`",
		);
	if (way === "subtask" && ids.length === 0)
		report.warning(
			path,
			`role_switch: subtask has no effect: task ${quote(id)} has no subtasks`,
			"add `subtasks`, or swap at `checkpoints`",
		);
}

/** A turn below 1 is the schema's matter; a name must be one of the task's subtasks. */
function reportCheckpoints(
	{ pair, at }: TaskDraft,
	ids: readonly string[],
	report: Reporter,
): void {
	for (const { text, index } of wordsOf(pair?.checkpoints).filter(
		(word) => !ids.includes(word.text),
	))
		report.error(
			at("overlays", "paired_workflow", "checkpoints", index),
			`unknown subtask ${quote(text)}`,
			/^[1-9]\d{0,5}$/.test(text)
				? `for a turn number write ${text} without quotes`
				: (suggestion(text, ids) ?? "the task has no subtasks; use a turn number"),
		);
}

export function reportReviews(input: RuleInput): void {
	for (const each of input.tasks.filter(({ isReview }) => isReview)) {
		reportForm(each, input.report);
		reportReviewer(each, input);
	}
}

/** A formal review builds nothing, so keys that shape building do not apply to it. */
function reportForm({ id, task, at }: TaskDraft, report: Reporter): void {
	const needs: unknown = task.depends_on;
	if (needs === undefined || (Array.isArray(needs) && needs.length === 0))
		report.keyError(
			at("formal_review"),
			`formal review ${quote(id)} needs depends_on`,
			"list the tasks whose merged result it reviews",
		);
	const overlays = ["paired_workflow", "confidence_loop", "policy_gate"] as const;
	const barred = [
		...(["player", "subtasks"] as const).flatMap((key) => (task[key] === undefined ? [] : [[key]])),
		...overlays.flatMap((key) => {
			const overlay = task.overlays?.[key];
			return overlay === undefined || overlay?.enabled === false ? [] : [["overlays", key]];
		}),
		// One from `defaults` is for the other tasks.
		...(task.checklist !== undefined && at("checklist")[0] === "tasks" ? [["checklist"]] : []),
	];
	for (const keys of barred)
		report.keyError(
			at(...keys),
			`a formal review cannot have ${keys.at(-1)}`,
			"remove it: a formal review changes no files",
		);
}

/** A review is independent only of tasks in which its agent had no part; the part that weighs most is told. */
function reportReviewer({ id, task, at }: TaskDraft, { file, tasks, report }: RuleInput): void {
	const byId = new Map(tasks.map((each) => [each.id, each]));
	const wanted = new Set([id]);
	// A set that grows while it is walked: each task is visited once.
	for (const each of wanted)
		for (const { text } of wordsOf(byId.get(each)?.task.depends_on)) wanted.add(text);
	const found = [...wanted].map((each) => partIn(byId.get(each), textOf(task.agent), file));
	const part = PARTS.find((each) => found.includes(each));
	if (part !== undefined)
		report.warning(
			at("agent"),
			`${part} and formal reviewer are the same agent`,
			"name another agent for the review",
		);
}

const PARTS = ["challenger", "builder", "verifier"] as const;

function partIn(
	task: TaskDraft | undefined,
	agent: string | undefined,
	{ verifier, verification }: FileDraft,
): (typeof PARTS)[number] | undefined {
	if (task === undefined || agent === undefined || task.isReview) return undefined;
	const { role_switch: swap = "session" } = task.pair ?? {};
	if (task.coach === agent || (task.player === agent && swap !== "session")) return "challenger";
	if (task.player === agent) return "builder";
	const verifiers =
		task.task.requires_verification === false ? [] : [verifier, verification?.agent];
	return verifiers.includes(agent) ? "verifier" : undefined;
}
