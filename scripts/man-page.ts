import type { Command } from "commander";
import { COMMANDS } from "../src/cli/command-table.ts";
import { processShell } from "../src/cli/process-shell.ts";
import { EXIT_CODES, wholeProgram } from "../src/cli/program.ts";
import { nameOf, packageVersion } from "../src/cli/terminal/command.ts";
import type { GuidePage } from "../src/library/verbs/verb.ts";

const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
	["NO_COLOR", "no colours, also on a terminal"],
	["CI", "one plain line for each event instead of a live view; nobody is asked"],
	["PAGER", "what shows a diff on a terminal; less by default, cat or empty for none"],
	["SPAR_CHECKOUTS", "where the checkouts of agents and checks stand, outside of every repository"],
];

const FILES: readonly (readonly [path: string, meaning: string])[] = [
	["sparring.yaml", "the workflow: agents, checks and tasks"],
	[".sparring/", "the state of all runs, in the repository; it ignores itself"],
];

/** A text in roff: nothing in it is a request or an escape, and each hyphen can be copied. */
const escaped = (text: string): string =>
	text
		.replaceAll("\\", "\\e")
		.replaceAll("-", "\\-")
		.replaceAll(/^([.'])/gm, "\\&$1");

const term = (name: string, meaning: string): string[] => [
	".TP",
	`.B ${escaped(name)}`,
	escaped(meaning),
];

/** What stands between the first blank line and the help itself: the examples. */
function examplesOf(help: string): string[] {
	const [shown = ""] = help.split("\n\n");
	return shown.split("\n").map((line) => line.replace(/^Example: +/, "").trim());
}

/** A command that does something, or each of those below it. */
function commandLines(command: Command, helpOf: (command: Command) => string): string[] {
	if (command.commands.length > 0) {
		return command.commands
			.filter((each) => each.name() !== "help")
			.flatMap((each) => commandLines(each, helpOf));
	}
	const helper = command.createHelp();
	const text = command.description();
	return [
		`.SS ${escaped(`${nameOf(command)} ${command.usage()}`)}`,
		escaped(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`),
		...helper
			.visibleArguments(command)
			.flatMap((argument) => term(argument.name(), helper.argumentDescription(argument))),
		...helper
			.visibleOptions(command)
			.filter(({ long }) => long !== "--help")
			.flatMap((option) => term(option.flags, helper.optionDescription(option))),
		".PP",
		".nf",
		...examplesOf(helpOf(command)).map((example) => `    ${escaped(example)}`),
		".fi",
	];
}

function manPage(program: Command, helpOf: (command: Command) => string): string {
	const groups = Map.groupBy(program.commands, (command) => COMMANDS.get(command.name())?.group);
	const guide: GuidePage = "getting-started";
	return [
		`.TH SPAR 1 "2026-11-22" "sparring ${packageVersion()}" "Sparring"`,
		".SH NAME",
		"spar \\- one agent builds, another tries to show that it is wrong, evidence decides",
		".SH SYNOPSIS",
		".B spar",
		".I command",
		"[options] [arguments]",
		".PP",
		".B spar",
		".I command",
		"\\-\\-help",
		".SH DESCRIPTION",
		"A player builds, a coach tries to show that the work is wrong, and only what the checks of the project have",
		"shown on a commit is merged. Data goes to standard output, messages to standard error; with \\-\\-json a",
		"command prints JSON.",
		...[...groups].flatMap(([group, commands]) =>
			group === undefined
				? []
				: [
						`.SH ${group.toUpperCase()}`,
						...commands.flatMap((command) => commandLines(command, helpOf)),
					],
		),
		".SH EXIT STATUS",
		...EXIT_CODES.flatMap(([code, meaning]) => term(code.trim(), meaning)),
		".SH ENVIRONMENT",
		...ENVIRONMENT.flatMap(([name, meaning]) => term(name, meaning)),
		".SH FILES",
		...FILES.flatMap(([path, meaning]) => term(path, meaning)),
		".SH SEE ALSO",
		escaped(
			`docs/user-guide/${guide}.md in the package; spar COMMAND --help names the page of a command.`,
		),
	]
		.join("\n")
		.concat("\n");
}

/** The manual page of section 1, from the command line itself. */
export async function currentManPage(): Promise<string> {
	let printed = "";
	const outlet = {
		isTTY: false,
		columns: 1_000,
		rows: 1_000,
		write: (text: string) => {
			printed += text;
		},
		print: () => undefined,
	};
	const program = await wholeProgram({ ...processShell(), out: outlet, err: outlet });
	return manPage(program, (command) => {
		printed = "";
		command.outputHelp();
		return printed;
	});
}
