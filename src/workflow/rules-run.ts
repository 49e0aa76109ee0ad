import type { Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { aboutMessage } from "./complaints.ts";
import { listOf, type TaskDraft, textOf, wordsOf } from "./draft.ts";
import type { RuleInput } from "./reporter.ts";
import { taskSubject } from "./task-subject.ts";

/** Programs of the user's say what a call costs, or do not: a limit in dollars may have no effect. */
export function reportIdleBudgets(input: RuleInput): void {
	if (input.file.budget?.usd !== undefined) reportIdleUsd(["budget", "usd"], input.tasks, input);
	for (const each of input.tasks)
		if (each.task.budget?.usd !== undefined) reportIdleUsd(each.at("budget", "usd"), [each], input);
}

function reportIdleUsd(
	usd: Path,
	tasks: readonly TaskDraft[],
	{ agents, report }: RuleInput,
): void {
	const seated = tasks.flatMap(({ player, coach }) =>
		[player, coach].flatMap((name) => agents.chain(name)),
	);
	if (seated.length === 0 || seated.some((name) => agents.adapter(name) !== "command")) return;
	report.warning(
		usd,
		"budget.usd has no effect unless the programs in the seats report what their calls cost",
		"report it as `usage` (see the agent protocol), or limit the time with `wall`",
	);
}

export function reportCopies({ file, report }: RuleInput): void {
	if (textOf(file.code?.remote) === undefined) return;
	for (const index of listOf(file.copy).keys())
		report.error(
			["copy", index],
			"copy is not available where several machines share a run",
			"each machine has its own ignored files: let setup write what the checks need",
		);
}

export function reportIdleSandbox({ file, report }: RuleInput): void {
	const { mode, allow_hosts: hosts, unix_sockets: sockets } = file.sandbox ?? {};
	if (mode !== "off") return;
	const idle = [
		...(listOf(hosts).length > 0 ? ["allow_hosts"] : []),
		...(sockets === true ? ["unix_sockets"] : []),
	];
	for (const key of idle)
		report.warning(
			["sandbox", key],
			`${key} has no effect: the sandbox is off`,
			`set \`mode: auto\`, or remove \`${key}\``,
		);
}

export function reportMergeMessage({ file, tasks, report }: RuleInput): void {
	const text = textOf(file.merge?.message);
	if (text === undefined || aboutMessage(text).length > 0) return;
	const empty = tasks.find(({ id, task, isReview }) => {
		const description = textOf(task.description) ?? "";
		const featureId = textOf(task.feature_id);
		return !isReview && taskSubject(text, { id, description, featureId }) === "";
	});
	if (empty === undefined) return;
	report.error(
		["merge", "message"],
		`the subject of task ${quote(empty.id)} would be empty`,
		"add words or {title}, or give the task what the placeholder names",
	);
}

/** Nothing of a task reaches those that depend on it, and a review would judge the base. One warning for each kind. */
export function reportUnmerged({ file, tasks, report }: RuleInput): void {
	if (file.merge?.into !== "none") return;
	const dependants = tasks.filter(({ task }) => wordsOf(task.depends_on).length > 0);
	const tell = (isOfReviews: boolean, problem: (id: string) => string): void => {
		const found = dependants.find(({ isReview }) => isReview === isOfReviews);
		if (found === undefined) return;
		report.warning(
			found.at("depends_on"),
			`${problem(quote(found.id))} the tasks it depends on: merge.into is none`,
			"merge into integration, which leaves the base branch alone until you land it",
		);
	};
	tell(false, (id) => `task ${id} starts without the work of`);
	tell(true, (id) => `the formal review ${id} sees nothing of`);
}
