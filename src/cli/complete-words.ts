import { RootCommand } from "@bomb.sh/tab";
import type { Command, Option } from "commander";
import type { KnownIds } from "../places/known-ids.ts";
import { printedBy, SHELLS } from "./commands/completion.ts";
import { definedFor } from "./program.ts";
import { nameOf } from "./terminal/command.ts";
import type { Shell } from "./terminal/shell.ts";

const SOURCES: Readonly<Record<string, (ids: KnownIds) => readonly string[]>> = {
	run: ({ runs }) => runs,
	task: ({ tasks }) => tasks,
	id: ({ items }) => items,
	"task-id": ({ workflowTasks }) => workflowTasks,
	role: () => ["player", "coach", "verifier", "evaluator", "tie-breaker", "check", "setup"],
	side: () => ["player", "coach"],
	shell: () => SHELLS,
};

// By the command, since one word stands for formats of two kinds.
const FORMATS: Readonly<Record<string, readonly string[]>> = {
	check: ["github", "junit", "markdown", "sarif"],
	report: ["markdown", "junit", "sarif", "ctrf", "html"],
};

const FILES: ReadonlySet<string> = new Set(["file", "requirements"]);

const valueName = ({ flags }: Option): string => /[<[]([\w-]+)/.exec(flags)?.[1] ?? "";

// The last line of an answer: 4 offers no files, 0 offers files where there are no words.
const withFiles = (answer: string): string => answer.replace(/:4\n$/, ":0\n");

function describe(root: RootCommand, command: Command, ids: KnownIds): void {
	const name = nameOf(command).replace(/^spar ?/, "");
	const described = name === "" ? root : root.command(name, command.description());
	const offer = (values: readonly string[]) => (add: (value: string, text: string) => void) => {
		for (const value of values) add(value, "");
	};
	for (const option of command.createHelp().visibleOptions(command)) {
		const long = option.long?.slice(2) ?? "";
		const takesValue = option.required || option.optional;
		const of = valueName(option);
		const values = of === "format" ? (FORMATS[name] ?? []) : (SOURCES[of]?.(ids) ?? []);
		if (takesValue) described.option(long, option.description, offer(values));
		else described.option(long, option.description, option.short?.slice(1));
	}
	for (const argument of command.registeredArguments) {
		const values = SOURCES[argument.name()]?.(ids) ?? [];
		described.argument(argument.name(), offer(values), argument.variadic);
	}
	for (const each of command.commands) describe(root, each, ids);
}

function commandOf(program: Command, words: readonly string[]): Command {
	const [first, ...rest] = words;
	const next = program.commands.find((command) => command.name() === first);
	return next === undefined ? program : commandOf(next, rest);
}

function wantsFile(command: Command, before: string): boolean {
	const option = command.options.find(({ long }) => long === before);
	if (option?.required === true) return FILES.has(valueName(option));
	return command.registeredArguments.some((argument) => FILES.has(argument.name()));
}

// A word a line, its description behind a tab, and last whether files are words too, as the scripts read it.
export async function completeWords(
	words: readonly string[],
	shell: Shell,
	ids: KnownIds,
): Promise<string> {
	const program = await definedFor(shell, words[0] ?? "");
	const root = new RootCommand();
	describe(root, program, ids);
	const answer = printedBy(() => root.parse([...words]));
	const command = commandOf(program, words.slice(0, -1));
	return wantsFile(command, words.at(-2) ?? "") ? withFiles(answer) : answer;
}
