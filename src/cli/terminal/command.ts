import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { GuidePage } from "../../library/verbs/verb.ts";
import { brokenCommand } from "./cut-words.ts";
import { EXIT } from "./exit-code.ts";
import { printJson, type Shell } from "./shell.ts";

export interface HelpTexts {
	readonly examples: readonly [string, string, string];
	readonly page?: GuidePage | undefined;
}

export interface CliCommand extends HelpTexts {
	// The action tells `finish` its exit code, unless it throws.
	readonly define: (command: Command, shell: Shell, finish: (code: number) => void) => void;
}

export interface JsonFlag {
	readonly json?: boolean;
}

/** By what a person types, such as `"--turn <n>"`; with a reader of its value, or a default. */
export type Options = Readonly<
	Record<string, string | readonly [string, ((text: string, before: unknown) => unknown) | string]>
>;

export interface CommandForm extends HelpTexts {
	readonly argument?: readonly [usage: string, summary: string] | undefined;
	/** True where the command itself says which arguments are too many. */
	readonly more?: boolean | undefined;
	readonly options?: Options;
	/** Options without which it is refused. */
	readonly required?: readonly string[];
}

/** Outcome of a command, as JSON and in words. */
export interface Told {
	readonly json: unknown;
	readonly text?: string;
	/** For standard error, and not beside JSON. */
	readonly note?: string;
	readonly code?: number;
}

function tell({ out, err }: Shell, { json, text, note, code = EXIT.done }: Told, asJson: boolean) {
	if (asJson) printJson({ out }, json);
	if (!asJson && text !== undefined) out.print(`${text}\n`);
	if (!asJson && note !== undefined) err.print(`${note}\n`);
	return code;
}

export const VERBOSE = "tell every event";

export function commandOf<Flags extends object>(
	form: CommandForm,
	act: (
		shell: Shell,
		flags: Flags & JsonFlag,
		argument: string | undefined,
		more: readonly string[],
	) => Promise<number | Told>,
): CliCommand {
	const options = { ...form.options, "--json": form.options?.["--json"] ?? "print JSON" };
	return {
		...form,
		define: (command, shell, finish) => {
			if (form.argument !== undefined) command.argument(...form.argument);
			command.allowExcessArguments(form.more === true);
			for (const [option, told] of Object.entries(options)) {
				const [summary, more] = typeof told === "string" ? [told] : told;
				if (form.required?.includes(option) === true) command.requiredOption(option, summary);
				else if (typeof more === "function") command.option(option, summary, more);
				else command.option(option, summary, more);
			}
			command.action(async () => {
				const flags = command.opts<Flags & JsonFlag>();
				const [argument, ...more] = command.args;
				const told = await act(shell, flags, argument, more);
				finish(typeof told === "number" ? told : tell(shell, told, flags.json === true));
			});
		},
	};
}

// Found from wherever the file lies: the built program is in another folder than the source.
const PACKAGE = findPackageJSON("..", import.meta.url) ?? "";

/** Absolute path of a folder that the package brings; of its own for an empty name. */
export const packageFolder = (name: string): string =>
	join(dirname(PACKAGE), name).replace(/\/$/, "");

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
		.addHelpText("after", `\nDocs:\n  ${packageFolder(`docs/user-guide/${page}.md`)}`)
		.showHelpAfterError(`See: ${nameOf(command)} --help`);
}

export function packageVersion(): string {
	const text = readFileSync(PACKAGE, "utf8");
	const content: unknown = JSON.parse(text);
	const found =
		typeof content === "object" && content !== null && "version" in content
			? content.version
			: undefined;
	return typeof found === "string" ? found : "unknown";
}
