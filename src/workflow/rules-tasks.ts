import { quote } from "../kernel/quote.ts";
import { suggestion } from "../kernel/suggest.ts";
import { type Field, isMapping, seatFields } from "./field.ts";
import { enabledOverlay, type RuleInput } from "./file-facts.ts";
import { type GlobProblem, globProblem } from "./glob.ts";
import { HARNESSES, harnessNamed } from "./harnesses.ts";
import { shownName } from "./kinship.ts";
import { findCycles } from "./order.ts";
import { pathProblem } from "./relative-path.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { nameProblem } from "./safe-name.ts";
import { NO_COACH } from "./short-forms.ts";

export function reportTasks(input: RuleInput): void {
	reportAgentName(input.root.at("planner"), input);
	reportSeatNames(input);
	for (const { id, field } of input.tasks) {
		// A task that is not a mapping has been reported as such.
		if (isMapping(field.value)) reportSeats(id, field, input);
	}
	reportDependencies(input);
}

const SHORT_SEATS = ["player", "coach"] as const;

const shortSeats = (of: Field): Field[] =>
	SHORT_SEATS.map((seat) => of.at(seat)).filter(
		({ present, text }) => present && text !== NO_COACH,
	);

function reportSeatNames(input: RuleInput): void {
	const { root, tasks, chains } = input;
	const known = [...new Set([...chains.names(), ...HARNESSES])];
	for (const seat of [root, ...tasks.map(({ field }) => field)].flatMap(shortSeats))
		reportAgentName(seat, input, suggestion(seat.text ?? "", known));
}

/** The long form's keys of a task win, so that what its short ones say differently would be lost. */
function reportDifference(task: Field, report: Reporter): void {
	const seats = seatFields(task);
	for (const seat of SHORT_SEATS) {
		const { text } = task.at(seat);
		const named = seats[seat].text ?? (seat === "coach" ? NO_COACH : undefined);
		if (text === undefined || named === undefined || text === named) continue;
		report.error(
			task.at(seat),
			`${seat} ${quote(text)} contradicts the other keys of the task, which name ${quote(named)}`,
			"they are about the same seat: remove one of them",
		);
	}
}

const pairOf = (task: Field): Field => task.at("overlays").at("paired_workflow");

function reportSeats(id: string, task: Field, input: RuleInput): void {
	const { report } = input;
	const agent = task.at("agent");
	const pair = pairOf(task);
	const driver = pair.at("driver_agent");
	const challenger = pair.at("challenger_agent");
	const short = [input.root, task].flatMap(shortSeats).map(({ text }) => text);
	for (const seat of [agent, driver, challenger])
		if (!short.includes(seat.text)) reportAgentName(seat, input);
	reportDifference(task, report);
	if (driver.text !== undefined && driver.text === challenger.text)
		report.error(challenger, ...sameAgent(driver.text, short.includes(driver.text)));
	if (pair.at("enabled").value !== true) {
		if (!agent.present)
			report.keyError(
				task,
				`task ${quote(id)} needs an agent`,
				"add `agent` or enable paired_workflow, for it or in `defaults`",
			);
		return;
	}
	reportEmptySeats(id, pair, shortSeats(input.root).length > 0, report);
	if (agent.text !== undefined && driver.text !== undefined && agent.text !== driver.text)
		report.error(
			agent,
			`agent ${quote(agent.text)} must equal driver_agent ${quote(driver.text)}`,
			"remove `agent`: the pair defines the seats",
		);
}

function reportEmptySeats(id: string, pair: Field, isShort: boolean, report: Reporter): void {
	for (const seat of ["driver_agent", "challenger_agent"]) {
		if (pair.at(seat).present) continue;
		const short = seat === "driver_agent" ? "player" : "coach";
		const hint = isShort ? `add \`${seat}\`, or name a \`${short}\`` : `add \`${seat}\``;
		report.keyError(pair, `paired_workflow of task ${quote(id)} needs ${seat}`, hint);
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
	const edges = new Map(tasks.map(({ id, field }) => [id, field.at("depends_on").texts()]));
	for (const { text, field } of [...edges.values()].flat())
		if (!known.has(text)) report.error(field, `unknown task ${quote(text)}`, suggestion(text, ids));
	const graph = new Map([...edges].map(([id, needs]) => [id, needs.map(({ text }) => text)]));
	for (const cycle of findCycles(graph)) {
		const [first = "", second = first] = cycle;
		const edge = edges.get(first)?.find(({ text }) => text === second);
		const shown = [...cycle, first].map(shownName).join(" -> ");
		if (edge !== undefined)
			report.error(
				edge.field,
				`depends_on has a cycle: ${shown}`,
				"remove one of these dependencies",
			);
	}
}

export function reportSubtasks({ tasks, report }: RuleInput): void {
	for (const { id, field } of tasks) {
		reportIds(field, report);
		const pair = enabledOverlay(field, "paired_workflow");
		if (pair !== undefined) reportRoleSwitch(id, field, pair, report);
	}
}

const idsOf = (task: Field): Field[] =>
	task
		.at("subtasks")
		.items()
		.map((subtask) => subtask.at("id"));

function reportIds(task: Field, report: Reporter): void {
	const seen = new Map<string, string>();
	for (const field of idsOf(task)) {
		const { text } = field;
		if (text === undefined) continue;
		const problem = nameProblem(text);
		if (problem !== undefined) report.error(field, `subtask ${quote(text)} ${problem}`);
		const key = text.toLowerCase();
		const twin = seen.get(key);
		if (twin === undefined) seen.set(key, text);
		else
			report.error(
				field,
				twin === text
					? `duplicate subtask id ${quote(text)}`
					: `subtask ${quote(text)} differs from ${quote(twin)} only in case`,
				"rename one of the two",
			);
	}
}

function reportRoleSwitch(id: string, task: Field, pair: Field, report: Reporter): void {
	const roleSwitch = pair.at("role_switch");
	const checkpoints = pair.at("checkpoints");
	const places = checkpoints.items();
	const ids = idsOf(task).flatMap(({ text }) => text ?? []);
	if (roleSwitch.value === "checkpoint" && places.length === 0)
		report.error(
			roleSwitch,
			"role_switch: checkpoint requires checkpoints",
			"add `checkpoints` with numbers of turns or ids of subtasks, such as [2, core]",
		);
	if (roleSwitch.value !== "checkpoint" && places.length > 0)
		report.keyError(
			checkpoints,
			"checkpoints require role_switch: checkpoint",
			"write `role_switch: checkpoint`, or remove `checkpoints`",
		);
	if (roleSwitch.value === "subtask" && ids.length === 0)
		report.warning(
			roleSwitch,
			`role_switch: subtask has no effect: task ${quote(id)} has no subtasks`,
			"add `subtasks`, or swap at `checkpoints`",
		);
	for (const place of places) reportCheckpoint(place, ids, report);
}

/** A turn below 1 is the schema's matter; a name must be one of the task's subtasks. */
function reportCheckpoint(place: Field, ids: readonly string[], report: Reporter): void {
	const { text } = place;
	if (text === undefined || ids.includes(text)) return;
	const hint = /^[1-9]\d{0,5}$/.test(text)
		? `for a turn number write ${text} without quotes`
		: (suggestion(text, ids) ?? "the task has no subtasks; use a turn number");
	report.error(place, `unknown subtask ${quote(text)}`, hint);
}

export function reportPaths({ root, tasks, report }: RuleInput): void {
	const checks = root
		.at("checks")
		.entries()
		.map(({ field }) => field);
	const paths = [
		...checks.map((check) => check.at("report").at("path")),
		...tasks.flatMap(({ field }) => field.at("context_files").items()),
	];
	for (const field of paths) reportText(field, pathProblem, report);
	const globs = [
		...root.at("setup_inputs").items(),
		...root.at("protected").items(),
		...root.at("verification").at("paths").items(),
		...checks.flatMap((check) => check.at("tests").items()),
		...tasks.flatMap(({ field }) =>
			field
				.at("allow")
				.items()
				.map((rule) => rule.at("path")),
		),
	];
	for (const field of globs) reportText(field, globProblem, report);
	reportCopies(root, report);
}

function reportText(
	field: Field,
	problemOf: (text: string) => string | GlobProblem | undefined,
	report: Reporter,
): void {
	if (field.text === undefined) return;
	const problem = problemOf(field.text);
	if (problem === undefined) return;
	const { message, hint } = typeof problem === "string" ? { message: problem } : problem;
	report.error(field, `${quote(field.text)} ${message}`, hint);
}

function reportCopies(root: Field, report: Reporter): void {
	for (const field of root.at("copy").items()) {
		reportText(field, copyProblem, report);
		if (root.at("code").at("remote").text === undefined) continue;
		report.error(
			field,
			"copy is not available where several machines share a run",
			"each machine has its own ignored files: let setup write what the checks need",
		);
	}
}

function copyProblem(path: string): string | undefined {
	if (/^(?:\.\/)*\.sparring(?:\/|$)/.test(path)) return "is Sparring's own state";
	return pathProblem(path) ?? globProblem(path)?.message;
}

export function reportReviews({ root, tasks, report }: RuleInput): void {
	const byId = new Map(tasks.map(({ id, field }) => [id, field]));
	for (const { id, field } of tasks) {
		if (field.at("formal_review").value !== true) continue;
		reportForm(id, field, report);
		reportReviewer(field, { root, byId }, report);
	}
}

/** A formal review builds nothing, so keys that shape building do not apply to it. */
function reportForm(id: string, review: Field, report: Reporter): void {
	const needs = review.at("depends_on");
	if (!needs.present || (Array.isArray(needs.value) && needs.items().length === 0))
		report.keyError(
			review.at("formal_review"),
			`formal review ${quote(id)} needs depends_on`,
			"list the tasks whose merged result it reviews",
		);
	if (review.at("player").present) reportNoPart(review.at("player"), "player", report);
	for (const key of ["paired_workflow", "confidence_loop", "policy_gate"]) {
		const overlay = review.at("overlays").at(key);
		if (overlay.present && overlay.at("enabled").value !== false)
			reportNoPart(overlay, key, report);
	}
	const subtasks = review.at("subtasks");
	if (subtasks.present) reportNoPart(subtasks, "subtasks", report);
	const checklist = review.at("checklist");
	// One from `defaults` is for the other tasks.
	if (checklist.present && checklist.path[0] === "tasks")
		reportNoPart(checklist, "checklist", report);
}

function reportNoPart(field: Field, key: string, report: Reporter): void {
	report.keyError(
		field,
		`a formal review cannot have ${key}`,
		"remove it: a formal review changes no files",
	);
}

/** A review is independent only of tasks in which its agent had no part; the part that weighs most is told. */
function reportReviewer(
	review: Field,
	{ root, byId }: { readonly root: Field; readonly byId: ReadonlyMap<string, Field> },
	report: Reporter,
): void {
	const reviewer = review.at("agent");
	if (reviewer.text === undefined) return;
	const idsOf = (task: Field): string[] =>
		task
			.at("depends_on")
			.texts()
			.map(({ text }) => text);
	const wanted = new Set(idsOf(review));
	const found = new Set<string>();
	// A set that grows while it is walked: each task is visited once.
	for (const id of wanted) {
		const task = byId.get(id);
		if (task === undefined) continue;
		for (const needed of idsOf(task)) wanted.add(needed);
		for (const [part, agents] of partsIn(task, root))
			if (agents.includes(reviewer.text)) found.add(part);
	}
	const part = PARTS.find((each) => found.has(each));
	if (part !== undefined)
		report.warning(
			reviewer,
			`${part} and formal reviewer are the same agent`,
			"name another agent for the review",
		);
}

const PARTS = ["challenger", "builder", "verifier"] as const;

function partsIn(task: Field, root: Field): readonly (readonly [string, readonly unknown[]])[] {
	if (task.at("formal_review").value === true) return [];
	const { player, coach } = seatFields(task);
	const roleSwitch = enabledOverlay(task, "paired_workflow")?.at("role_switch");
	const swaps = roleSwitch?.present === true && roleSwitch.value !== "session";
	const isVerified = task.at("requires_verification").value !== false;
	const verifiers = [root.at("verifier"), root.at("verification").at("agent")];
	return [
		["challenger", [coach.text, ...(swaps ? [player.text] : [])]],
		["builder", [player.text]],
		["verifier", isVerified ? verifiers.map(({ text }) => text) : []],
	];
}
