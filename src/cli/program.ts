import { Command, Help } from "commander";
import { COMMANDS, FIRST_PAGE, loadCommand } from "./command-table.ts";
import { packageVersion, withHelp } from "./terminal/command.ts";
import type { Shell } from "./terminal/shell.ts";
import { described, descriptions, hanging } from "./terminal/table.ts";

export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
	["  0", "done"],
	["  1", "the work or a task failed, or a landing was refused"],
	["  2", "wrong usage, an invalid file, or what else an error says"],
	["  3", "a person is needed"],
	["  4", "cancelled, or a budget is spent"],
	["  70", "a bug in Sparring"],
	["  130", "interrupted; the state is saved"],
];

function formatItem(term: string, widest: number, text: string, { helpWidth = 80 }: Help): string {
	return described(`  ${term}`, text, widest + 4, helpWidth);
}

const sentence = (text: string): string =>
	`${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;

function commandTerm(program: Command, command: Command): string {
	if (command.parent !== program)
		return new Help().subcommandTerm(command).replace(" [options]", "");
	return `${command.name()} ${COMMANDS.get(command.name())?.usage ?? "[command...]"}`.trim();
}

async function defineCommand(
	command: Command,
	shell: Shell,
	finish: (code: number) => void,
): Promise<void> {
	const called = await loadCommand(command.name());
	called?.define(withHelp(command, called, shell), shell, finish);
}

// Only the called command's file is loaded; without `words` the program has all commands.
export function buildProgram(
	shell: Shell,
	finish: (code: number) => void,
	words: readonly string[] = [],
): Command {
	const [first = ""] = words;
	const isCalled = COMMANDS.has(first);
	let isShort = false;
	let showsAll = words.includes("--all");
	const program = new Command("spar");
	const examples = ["spar check", 'spar "Greet by name"', "spar init"] as const;
	program.addHelpText("after", ({ error }) => {
		const { columns } = error ? shell.err : shell.out;
		if (!showsAll)
			return `\n${hanging("All commands and exit codes: spar help --all", 2, columns)}`;
		return `\nExit codes:\n${descriptions(EXIT_CODES, columns)}`;
	});
	withHelp(program, { examples, page: "getting-started" }, shell)
		.description("One agent builds, another tries to show that it is wrong, evidence decides.")
		// Behind the name of a command `--version` is that command's.
		.enablePositionalOptions()
		.exitOverride()
		.configureOutput({
			writeOut: (text) => {
				shell.out.write(text);
			},
			writeErr: (text) => {
				shell.err.print(text);
			},
			getOutHelpWidth: () => shell.out.columns,
			getErrHelpWidth: () => shell.err.columns,
			getOutHasColors: () => false,
			getErrHasColors: () => false,
		})
		.configureHelp({
			minWidthToWrap: 20,
			formatHelp: (command, helper) => {
				isShort = command === program && !showsAll;
				const text = new Help().formatHelp.call(helper, command, helper);
				isShort = false;
				return text;
			},
			// A name that was mistyped may be of any command, so only the page is short.
			visibleCommands: (command) =>
				new Help()
					.visibleCommands(command)
					.filter((each) => !isShort || FIRST_PAGE.has(each.name())),
			formatItem,
			commandUsage: (command) => hanging(new Help().commandUsage(command), 7, shell.out.columns),
			commandDescription: (command) => sentence(command.description()),
			subcommandTerm: (command) => commandTerm(program, command),
		})
		.hook("preSubcommand", (_program, command) => defineCommand(command, shell, finish));
	program.version(packageVersion());
	for (const [name, { group, summary }] of COMMANDS) {
		if (isCalled && name !== first) continue;
		program.command(name).description(summary).helpGroup(`${group}:`);
	}
	program
		.helpCommand(false)
		.command("help [command...]")
		.description("show the help of a command; with --all, every command")
		.option("--all", "show every command")
		.helpGroup("More:")
		.action(async (words: readonly string[], { all = false }: { readonly all?: boolean }) => {
			showsAll ||= all;
			const [first] = words;
			const isKnown = program.commands.some((each) => each.name() === first);
			// An unknown name runs nothing, and is refused.
			const asked = first === undefined || isKnown ? [...words, "--help"] : [first];
			await program.parseAsync(asked, { from: "user" });
		});
	return program;
}

export async function definedFor(shell: Shell, name: string): Promise<Command> {
	const program = buildProgram(shell, () => undefined);
	const command = program.commands.find((each) => each.name() === name);
	if (command !== undefined) await defineCommand(command, shell, () => undefined);
	return program;
}

/** The same with every command's file loaded, for what reads all of it. */
export async function wholeProgram(shell: Shell): Promise<Command> {
	const program = buildProgram(shell, () => undefined, ["--all"]);
	for (const command of program.commands) {
		await defineCommand(command, shell, () => undefined);
	}
	return program;
}
