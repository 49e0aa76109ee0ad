import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { z } from "zod";
import type { RunOptions } from "../../drive/run-options.ts";
import { quote } from "../../kernel/quote.ts";
import { type GivenValues, wireName } from "../../library/verbs/call.ts";
import { nameOfVerb, VERB_NAMES, VERBS } from "../../library/verbs/table.ts";
import type { AnyVerb, Field, Fields, Kind } from "../../library/verbs/verb.ts";
import { findRoot } from "../../places/find-root.ts";
import { requireWorkflow } from "../../places/load-source.ts";
import { issueReference } from "../../planning/issue-task.ts";
import { eventText } from "../../words/events/event-text.ts";
import { MOST_TURNS } from "../../workflow/limits.ts";
import {
	madeUpLines,
	runSource,
	type ShotFlags,
	WISHES,
	WORDS,
	withStarter,
} from "../terminal/one-shot.ts";
import { usageFault } from "../terminal/option-values.ts";
import { noPaint } from "../terminal/paint.ts";
import { reportText } from "../terminal/render-report.ts";
import { type Shell, withSparring } from "../terminal/shell.ts";
import { UNLIMITED } from "../terminal/table.ts";
import type { LoadCommand, VerbCommand } from "../terminal/verb-command.ts";

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

const some = (what: string) => z.string().trim().min(1).optional().describe(what);

const OF_KIND: Readonly<Partial<Record<Kind, (about: string, field: Field) => z.ZodType>>> = {
	text: (about, { oneOf }) =>
		oneOf === undefined ? some(about) : z.enum(oneOf).optional().describe(about),
	texts: (about) => z.array(z.string().trim().min(1)).optional().describe(about),
	count: (about, { most = MOST_TURNS }) => z.int().min(1).max(most).optional().describe(about),
	flag: (about) => z.boolean().optional().describe(about),
};

function shapeOf(fields: Fields): Readonly<Record<string, z.ZodType>> {
	const shape = Object.entries(fields).flatMap(([name, field]): [string, z.ZodType][] => {
		const { kind, spelt, about = "", forPeople } = field;
		const type = spelt === undefined || forPeople === true ? undefined : OF_KIND[kind];
		return type === undefined ? [] : [[wireName(name), type(about, field)]];
	});
	return Object.fromEntries(shape);
}

const givenIn = (fields: Fields, asked: GivenValues): GivenValues =>
	Object.fromEntries(
		Object.keys(fields).flatMap((name) => {
			const value = asked[wireName(name)];
			return value === undefined ? [] : [[name, value]];
		}),
	);

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

const OF_WORDS = { ...WORDS, ...WISHES } as const;

const runTask: McpTool = {
	...toolOf(
		"Gives a task to two agents, a player that builds and a coach that tries to show that the work is wrong, until the checks pass; takes minutes to hours. The work stays on a branch of its own until a person lands it. Name `task`, or `task_ids` or `file` of a workflow.",
		z.strictObject({
			...shapeOf({ ...OF_WORDS, ...VERBS.run.fields }),
			task: some("the task in words, or an issue: #12 or its address"),
			file: some("workflow file, or task file ending in .md (default: sparring.yaml)"),
			directory,
		}),
		async (asked, { shell, ...supervision }) => {
			const { task, file } = asked;
			const wanted: Partial<RunOptions> = givenIn(VERBS.run.fields, asked);
			if ((task ?? file ?? wanted.taskIds) === undefined)
				throw usageFault("no task is named", "Give task, task_ids or file.");
			const isIssue = task !== undefined && issueReference(task) !== null;
			const path = file === undefined ? undefined : await inside(shell, file);
			const words: ShotFlags = givenIn(OF_WORDS, isIssue ? { ...asked, task: undefined } : asked);
			const named = await runSource(isIssue ? task : path, words, shell);
			return await withSparring(shell, "write", async (sparring) => {
				const source = await withStarter(named, sparring.root, { shell, isSaved: false });
				const workflow = requireWorkflow(await sparring.load(source), source);
				const isMadeUp = source.kind === "words" && source.starter !== undefined;
				const report = await sparring.run({
					...wanted,
					...supervision,
					source: { kind: "loaded", workflow },
					onEvent: (event) => {
						const { short } = eventText(event);
						if (short !== undefined) supervision.onNotice(`${event.task ?? "run"}: ${short}`);
					},
				});
				const told = isMadeUp ? madeUpLines(workflow, false) : "";
				return { json: report, text: `${told}${reportText(report, LOOK)}\n` };
			});
		},
	),
	isReadOnly: false,
};

const LOOK = { paint: noPaint, columns: UNLIMITED };

function toolOfVerb({ method, tell }: VerbCommand): McpTool {
	const { fields, access, forAgents = "" }: AnyVerb = VERBS[method];
	const input = z.strictObject({ ...shapeOf(fields), directory });
	return toolOf(forAgents, input, async (asked: GivenValues, { shell, ...call }) => {
		const given = { ...call, ...givenIn(fields, asked) };
		return await withSparring(shell, access, async (sparring) => {
			const { json, text, note = "" } = await tell({ sparring, given }, LOOK);
			return { json, text: text ?? note };
		});
	});
}

/** Verbs that agents are told of. None that writes is among them. */
async function verbTools(load: LoadCommand): Promise<readonly (readonly [string, McpTool])[]> {
	const isTold = ({ forAgents, access }: AnyVerb) => forAgents !== undefined && access === "read";
	const told = VERB_NAMES.filter((method) => isTold(VERBS[method])).map(nameOfVerb);
	const tools = told.map(async (name) => {
		const command = await load(name);
		return command !== undefined && "tell" in command ? [[name, toolOfVerb(command)] as const] : [];
	});
	return (await Promise.all(tools)).flat();
}

/** Tools by name. None of them answers for a person: there is no `allow`, no answer and no landing among them. */
export async function mcpTools(load: LoadCommand): Promise<Readonly<Record<string, McpTool>>> {
	return { ...Object.fromEntries(await verbTools(load)), run_task: runTask };
}
