import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { brokenCommand } from "./cut-words.ts";
import type { Shell } from "./shell.ts";

/** The pages of `docs/user-guide` that a help points to. */
export type GuidePage =
	| "ci"
	| "commands"
	| "dashboard"
	| "getting-started"
	| "machines"
	| "monitoring"
	| "people"
	| "troubleshooting"
	| "verification"
	| "workflows";

export interface HelpTexts {
	/** Command lines that work, such as `"spar diff limiter --turn 2"`; the help starts with them. */
	readonly examples: readonly [string, string, string];
	/** The page of the guide that explains the command. Default: `commands`. */
	readonly page?: GuidePage;
}

export interface CliCommand extends HelpTexts {
	/** Adds arguments, options and the action. The action tells `finish` its exit code, unless it throws. */
	readonly define: (command: Command, shell: Shell, finish: (code: number) => void) => void;
}

const pathOfPage = (page: GuidePage): string =>
	fileURLToPath(new URL(`../../docs/user-guide/${page}.md`, import.meta.url));

/** A command as a person types it: `spar hil resolve`. */
export function nameOf(command: Command): string {
	return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

const LABEL = "Example: ";

function exampleText(examples: HelpTexts["examples"], columns: number): string {
	const margin = " ".repeat(LABEL.length);
	const lines = examples.flatMap((example) => brokenCommand(example, columns - LABEL.length));
	return `${LABEL}${lines.join(`\n${margin}`)}\n`;
}

export function withHelp(
	command: Command,
	{ examples, page = "commands" }: HelpTexts,
	shell: Shell,
): Command {
	const columns = (error: boolean): number => (error ? shell.err : shell.out).columns;
	return command
		.addHelpText("before", ({ error }) => exampleText(examples, columns(error)))
		.addHelpText("after", `\nDocs:\n  ${pathOfPage(page)}`)
		.showHelpAfterError(`See: ${nameOf(command)} --help`);
}
