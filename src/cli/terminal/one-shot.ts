import { existsSync } from "node:fs";
import path from "node:path";
import { counted } from "../../kernel/counted.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import { text, texts } from "../../library/verbs/fields.ts";
import type { WorkflowSource } from "../../places/load-source.ts";
import { WORKFLOW_FILE } from "../../places/places.ts";
import {
	commentOnIssue,
	type IssueReference,
	issueReference,
	issueTask,
} from "../../planning/issue-task.ts";
import { starterFile } from "../../ready/init/init.ts";
import { KNOWN_AGENTS } from "../../ready/init/starter-agents.ts";
import { PRESETS } from "../../workflow/one-shot.ts";
import { safeTaskId } from "../../workflow/safe-name.ts";
import type { TaskWords } from "../../workflow/task-file.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { packageFolder } from "./command.ts";
import { usageFault } from "./option-values.ts";
import type { Shell } from "./shell.ts";
import { type SourceFlags, workflowSource } from "./workflow-source.ts";

type Preset = (typeof PRESETS)[number];

export interface ShotFlags extends SourceFlags {
	readonly player?: string | undefined;
	readonly coach?: string | undefined;
	readonly model?: string | undefined;
	readonly preset?: Preset | undefined;
	readonly command?: string | undefined;
	readonly save?: boolean;
	readonly trustAuthor?: boolean;
	readonly comment?: boolean;
}

/** A task in words. */
export const WORDS = {
	task: text("--task <text>", "describe one task in words instead of a file"),
	criteria: texts("--criterion <text...>", "acceptance criteria of the task in words"),
} as const;

/** Wishes for it. */
export const WISHES = {
	player: text("--player <agent>", "of a task in words: the agent that builds it"),
	coach: text("--coach <agent>", "of a task in words: the agent that challenges it; none: nobody"),
	model: text("--model <name>", "of a task in words: the player's model"),
	preset: text(
		"--preset <name>",
		"of a task in words: quick (no coach, at most 3 turns), pair (default) or strict (verifier, T1, mutants)",
		{ oneOf: PRESETS },
	),
	command: text("--command <cmd>", "of a task in words: the command that runs the tests"),
} as const;

/** A task in words: with a space in it, so that it is no mistyped command, and no file of that name. */
function isTaskText(word: string, directory: string): boolean {
	return /\S\s+\S/.test(word) && !existsSync(path.resolve(directory, word));
}

async function issueIn(
	word: string,
	{ trustAuthor = false, criteria = [] }: ShotFlags,
	{ directory, env }: Pick<Shell, "directory" | "env">,
): Promise<TaskWords | null> {
	const reference = issueReference(word);
	if (reference === null) return null;
	const place = { cwd: directory, env, signal: undefined, isTrusted: trustAuthor };
	const issue = await issueTask(reference, place);
	return { ...issue, criteria: [...issue.criteria, ...criteria] };
}

/**
 * The issue that the result goes back to; null where it goes to none.
 *
 * @throws Fault `usage` for a comment without an issue
 */
export function issueToComment(
	word: string | undefined,
	{ comment, task }: ShotFlags,
): IssueReference | null {
	if (comment !== true) return null;
	const issue = word === undefined || task !== undefined ? null : issueReference(word);
	if (issue !== null) return issue;
	throw usageFault(
		"--comment goes to the issue that is the task, and none is given",
		"Name the issue: spar '#12' --comment",
	);
}

// The run is over: that its result cannot be told there changes nothing of it.
export async function commentResult(
	{ directory, env, err }: Pick<Shell, "directory" | "env" | "err">,
	sparring: Pick<Sparring, "result">,
	{ issue, runId }: { readonly issue: IssueReference; readonly runId: string },
): Promise<void> {
	const about = issue.forge === null ? `issue ${issue.named}` : issue.named;
	const { markdownOf, PULL_REQUEST_BYTES } = await import("../../words/report/markdown.ts");
	const place = { cwd: directory, env, signal: undefined };
	const why = await sparring
		.result(runId)
		.then((result) => commentOnIssue(issue, markdownOf(result, PULL_REQUEST_BYTES), place))
		.catch((error: unknown) => (error instanceof Error ? error.message : "unknown reason"));
	err.print(
		why === null
			? `commented on ${about}\n`
			: `note: the result could not be written to ${about}: ${oneLine(why, 500)}\n`,
	);
}

async function plainSource(
	file: string | undefined,
	flags: ShotFlags,
	place: Pick<Shell, "directory" | "env">,
): Promise<WorkflowSource> {
	if (file === undefined || flags.task !== undefined) return workflowSource(file, flags);
	const issue = await issueIn(file, flags, place);
	if (issue !== null) return { kind: "words", ...issue };
	return isTaskText(file, place.directory)
		? workflowSource(undefined, { ...flags, task: file })
		: workflowSource(file, flags);
}

/**
 * Origin of a run: a file, or a task in words with the wishes for it.
 *
 * @throws Fault `usage` for wishes without a task in words
 */
export async function runSource(
	file: string | undefined,
	flags: ShotFlags,
	{ directory, env }: Pick<Shell, "directory" | "env">,
): Promise<WorkflowSource> {
	const { player, coach, model, preset, command, save } = flags;
	const source = await plainSource(file, flags, { directory, env });
	const shot = { player, coach, model, preset, command };
	const wishes = Object.entries({ ...shot, save }).flatMap(([wish, value]) =>
		value === undefined ? [] : [`--${wish}`],
	);
	if (wishes.length === 0) return source;
	if (source.kind === "words") return { ...source, shot };
	throw usageFault(
		`${wishes.join(", ")}: for a task in words, and none is given`,
		'Put it into the workflow file, or give the task: spar "TEXT"',
	);
}

/** The source with the text of a workflow file where a task in words comes to a repository that has none. */
export async function withStarter(
	source: WorkflowSource,
	root: string,
	{
		shell: { env, err },
		isSaved,
	}: { readonly shell: Pick<Shell, "env" | "err">; readonly isSaved: boolean },
): Promise<WorkflowSource> {
	if (source.kind !== "words") return source;
	if (existsSync(path.join(root, WORKFLOW_FILE))) {
		if (!isSaved) return source;
		throw usageFault(
			`--save writes ${WORKFLOW_FILE}, which exists already`,
			"Leave --save out: the file's agents and checks are used.",
		);
	}
	const { description, criteria, id = safeTaskId(description) } = source;
	const { player, coach, command } = source.shot ?? {};
	const value =
		criteria.length === 0 ? description : { description, acceptance_criteria: criteria };
	const place = { root, env, packageFolder: packageFolder("") };
	const task = { id, value };
	const made = await starterFile(place, { player, coach, command, task });
	if (made.agents[0]?.found !== true)
		throw usageFault(
			"no coding agent is on the PATH",
			`Install one of ${KNOWN_AGENTS.join(", ")} and sign in with it; \`spar doctor\` shows what it finds. For a program of your own, write it into the file that \`spar init\` makes.`,
		);
	for (const folder of made.unignored)
		err.print(`note: add ${folder} to .gitignore: setup fills it in every checkout\n`);
	return { ...source, starter: made.text };
}

/** Three lines about a workflow that nobody wrote. */
export function madeUpLines(
	{ tasks, agents, checks, setup, sandbox }: Workflow,
	isSaved: boolean,
): string {
	const [task] = tasks;
	const named = (name: string): string => {
		const adapter = agents[name]?.adapter ?? name;
		return adapter === name ? name : `${name} (${adapter})`;
	};
	const coach = task?.pair === undefined ? "no coach" : `coach ${named(task.pair.challenger)}`;
	const prepared = setup.length === 0 ? "no setup" : `setup ${setup.join(" && ")}`;
	const run = checks.map((check) => `${check.name} ${check.run}`);
	const checked =
		run.length === 0
			? "no test command found: give one with --command"
			: `checks: ${run.join(", ")}`;
	return [
		isSaved
			? `written: ${WORKFLOW_FILE}`
			: `no ${WORKFLOW_FILE}: this run uses what spar init would write, and saves nothing (--save does)`,
		`player ${named(task?.player ?? "")}, ${coach}, up to ${counted(task?.bound ?? 0, "turn")}`,
		oneLine(`${prepared}; ${checked}; sandbox ${sandbox?.mode ?? "off"}`, 400),
		"",
	].join("\n");
}
