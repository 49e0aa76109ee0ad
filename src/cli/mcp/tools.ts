import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { z } from "zod";
import { quote } from "../../kernel/quote.ts";
import { wireName } from "../../library/verbs/call.ts";
import { nameOfVerb, VERB_NAMES } from "../../library/verbs/table.ts";
import type { Field } from "../../library/verbs/verb.ts";
import { findRoot } from "../../places/find-root.ts";
import { requireWorkflow } from "../../places/load-source.ts";
import { issueReference } from "../../planning/issue-task.ts";
import { eventText } from "../../words/events/event-text.ts";
import { MOST_PARALLEL } from "../../workflow/limits.ts";
import { PRESETS } from "../../workflow/one-shot.ts";
import { madeUpLines, runSource, withStarter } from "../terminal/one-shot.ts";
import { usageFault } from "../terminal/option-values.ts";
import { noPaint } from "../terminal/paint.ts";
import { renderCheck } from "../terminal/render-check.ts";
import { reportText } from "../terminal/render-report.ts";
import { type Shell, withSparring } from "../terminal/shell.ts";
import { UNLIMITED } from "../terminal/table.ts";
import type { VerbCommand } from "../terminal/verb-command.ts";
import { verbDoor } from "../verb-doors.ts";

export interface ToolCall {
	readonly shell: Shell;
	readonly signal: AbortSignal;
	readonly onNotice: (text: string) => void;
}

/** Value that `--json` prints, and its short text. */
export interface ToolAnswer {
	readonly json: unknown;
	readonly text: string;
}

export interface McpTool {
	readonly description: string;
	readonly input: z.ZodObject;
	readonly isReadOnly: boolean;
	/** @param given what `input` let pass */
	readonly answer: (given: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

const COLUMNS = 80;
const MOST_TURNS = 1_000_000;

const some = (what: string) => z.string().trim().min(1).optional().describe(what);
const someTexts = (what: string) => z.array(z.string().trim().min(1)).optional().describe(what);
const someNumber = (most: number, what: string) =>
	z.int().min(1).max(most).optional().describe(what);

const directory = some("folder inside the repository, such as a worktree (default: the server's)");

function toolOf<Given extends { readonly directory?: string | undefined }>(
	description: string,
	input: z.ZodObject & z.ZodType<Given>,
	answer: (given: Omit<Given, "directory">, call: ToolCall) => Promise<ToolAnswer>,
): McpTool {
	return {
		description,
		input,
		isReadOnly: true,
		answer: async (given, { shell, ...call }) => {
			const { directory: named, ...rest } = input.parse(given);
			const place = named === undefined ? shell : placed(shell, await inside(shell, named));
			return await answer(rest, { shell: place, ...call });
		},
	};
}

const placed = (shell: Shell, place: string): Shell => ({
	...shell,
	directory: place,
	open: (access) => shell.open({ ...access, directory: place }),
});

/** @throws Fault `usage` for a path that leads out of the repository, also through a link */
async function inside({ directory: here }: Shell, path: string): Promise<string> {
	const found = await realpath(resolve(here, path)).catch(() => undefined);
	if (found === undefined)
		throw usageFault(`${quote(path)} does not exist`, "Name a path inside the repository.");
	const root = findRoot(here);
	if (root === undefined)
		throw usageFault(`${quote(here)} is in no repository`, "Start `spar mcp` inside of one.");
	const way = relative(root, found);
	if (way !== ".." && !way.startsWith(`..${sep}`)) return found;
	throw usageFault(
		`${quote(path)} is outside of the repository ${root}`,
		"Name a path inside it. Another repository needs a `spar mcp` of its own.",
	);
}

const check = toolOf(
	"Judges work that exists: runs the tests, and those of the base on the new code, and names what weakens them. Changes nothing. Call it before you say that work is done: `pass` holds; with `fail` fix what `next` says, and never a test to suit the work; `review` is for a person.",
	z.strictObject({
		rev: some("commit or branch (default: what is not committed, else HEAD)"),
		staged: z.boolean().optional().describe("judge what is staged alone"),
		pr: some("number or address of a pull request, which gh finds"),
		base: some("compare with this (default: where the work left its upstream branch)"),
		command: some("command that runs the tests (default: of sparring.yaml, else what is found)"),
		quick: z.boolean().optional().describe("run nothing; judge by the trees alone"),
		task: some("what the work is for"),
		criteria: someTexts("what must be true of it"),
		coach: some("agent that looks for what is wrong, where nothing fails"),
		verifier: some("agent that writes tests of its own, where nothing fails"),
		directory,
	}),
	async (options, { shell, ...call }) =>
		await withSparring(shell, "read", async (sparring) => {
			const report = await sparring.check({ ...options, ...call });
			return { json: report, text: renderCheck(report, { paint: noPaint, columns: COLUMNS }) };
		}),
);

const runTask: McpTool = {
	...toolOf(
		"Gives a task to two agents, a player that builds and a coach that tries to show that the work is wrong, until the checks pass; takes minutes to hours. The work stays on a branch of its own until a person lands it. Name `task`, or `task_ids` or `file` of a workflow.",
		z.strictObject({
			task: some("the task in words, or an issue: #12 or its address"),
			criteria: someTexts("what must be true of the work"),
			player: some("of a task in words: the agent that builds"),
			coach: some("of a task in words: the agent that challenges; none: nobody"),
			model: some("of a task in words: the player's model"),
			preset: z.enum(PRESETS).optional().describe("of a task in words (default: pair)"),
			command: some("of a task in words: the command that runs the tests"),
			file: some("workflow file, or task file ending in .md (default: sparring.yaml)"),
			task_ids: someTexts("run only these tasks of the workflow and what they depend on"),
			max_turns: someNumber(MOST_TURNS, "at most this many turns for each task"),
			max_parallel: someNumber(MOST_PARALLEL, "at most this many tasks at once"),
			directory,
		}),
		async (given, { shell, signal, onNotice }) => {
			const { task: words, file, task_ids: taskIds, criteria: criterion, ...rest } = given;
			const { max_turns: maxTurns, max_parallel: maxParallel, ...wishes } = rest;
			if ((words ?? file ?? taskIds) === undefined)
				throw usageFault("no task is named", "Give task, task_ids or file.");
			const isIssue = words !== undefined && issueReference(words) !== null;
			const path = file === undefined ? undefined : await inside(shell, file);
			const flags = { ...wishes, criterion, task: isIssue ? undefined : words };
			const named = await runSource(isIssue ? words : path, flags, shell);
			return await withSparring(shell, "write", async (sparring) => {
				const source = await withStarter(named, sparring.root, { shell, isSaved: false });
				const workflow = requireWorkflow(await sparring.load(source), source);
				const isMadeUp = source.kind === "words" && source.starter !== undefined;
				const report = await sparring.run({
					source: { kind: "loaded", workflow },
					taskIds,
					maxTurns,
					maxParallel,
					signal,
					onNotice,
					onEvent: (event) => {
						const { short } = eventText(event);
						if (short !== undefined) onNotice(`${event.task ?? "run"}: ${short}`);
					},
				});
				const told = isMadeUp ? madeUpLines(workflow, false) : "";
				return { json: report, text: `${told}${reportText(report, LOOK)}\n` };
			});
		},
	),
	isReadOnly: false,
};

const OF_FIELD: Readonly<Record<Field["kind"], (about: string) => z.ZodType>> = {
	text: some,
	count: (about) => someNumber(MOST_TURNS, about),
	flag: (about) => z.boolean().optional().describe(about),
};

const LOOK = { paint: noPaint, columns: UNLIMITED };

function toolOfVerb({ verb, tell }: VerbCommand, description: string): McpTool {
	const spelt = Object.entries(verb.fields).flatMap(([name, { spelt, kind, about }]) =>
		spelt === null ? [] : [{ name, wire: wireName(spelt), type: OF_FIELD[kind](about) }],
	);
	const input = z.strictObject({
		...Object.fromEntries(spelt.map(({ wire, type }) => [wire, type])),
		directory,
	});
	return toolOf(description, input, async (asked: Readonly<Record<string, unknown>>, { shell }) => {
		const given = Object.fromEntries(spelt.map(({ name, wire }) => [name, asked[wire]]));
		return await withSparring(shell, verb.access, async (sparring) => {
			const { json, text, note = "" } = await tell({ sparring, given }, LOOK);
			return { json, text: text ?? note };
		});
	});
}

/** Verbs that agents are told of. None that writes is among them. */
async function verbTools(): Promise<readonly (readonly [string, McpTool])[]> {
	const tools = VERB_NAMES.map(async (method) => {
		const { command } = await verbDoor(method);
		const { access, forAgents } = command.verb;
		return forAgents === undefined || access === "write"
			? []
			: [[nameOfVerb(method), toolOfVerb(command, forAgents)] as const];
	});
	return (await Promise.all(tools)).flat();
}

/** Tools by name. None of them answers for a person: there is no `allow`, no answer and no landing among them. */
export async function mcpTools(): Promise<Readonly<Record<string, McpTool>>> {
	return { check, run_task: runTask, ...Object.fromEntries(await verbTools()) };
}
