import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { Sparring } from "../../library/sparring.ts";
import { RUN as RUN_FIELD, TASK as TASK_FIELD } from "../../library/verbs/fields.ts";
import { brokenCommand } from "./cut-words.ts";
import { EXIT } from "./exit-code.ts";
import { printJson, type Shell, withSparring } from "./shell.ts";

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
	readonly examples: readonly [string, string, string];
	readonly page?: GuidePage;
}

export interface CliCommand extends HelpTexts {
	// The action tells `finish` its exit code, unless it throws.
	readonly define: (command: Command, shell: Shell, finish: (code: number) => void) => void;
}

export interface JsonFlag {
	readonly json?: boolean;
}

export interface CommandForm extends HelpTexts {
	readonly argument?: readonly [usage: string, summary: string];
	/** True where the command itself says which arguments are too many. */
	readonly more?: boolean;
	readonly required?: readonly [option: string, summary: string];
	/** By what a person types, such as `"--turn <n>"`; with a reader of its value, or a default. */
	readonly options?: Readonly<
		Record<
			string,
			string | readonly [string, ((text: string, before: unknown) => unknown) | string]
		>
	>;
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

const argumentOf = ({ spelt, about }: typeof RUN_FIELD | typeof TASK_FIELD) =>
	[spelt, about] as const;

export const RUN = argumentOf(RUN_FIELD);
export const VERBOSE = "tell every event";
export const TASK = argumentOf(TASK_FIELD);

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
			if (form.required !== undefined) command.requiredOption(...form.required);
			for (const [option, told] of Object.entries(options)) {
				const [summary, more] = typeof told === "string" ? [told] : told;
				if (typeof more === "function") command.option(option, summary, more);
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

export function sparringCommand<Flags extends object>(
	form: CommandForm & { readonly access: "read" | "write" },
	act: (
		call: { readonly shell: Shell; readonly sparring: Sparring; readonly flags: Flags & JsonFlag },
		argument: string | undefined,
	) => Promise<number | Told>,
): CliCommand {
	return commandOf<Flags>(
		form,
		async (shell, flags, argument) =>
			await withSparring(shell, form.access, (sparring) =>
				act({ shell, sparring, flags }, argument),
			),
	);
}

// Found from wherever the file lies: the built program is in another folder than the source.
const PACKAGE = findPackageJSON("..", import.meta.url) ?? "";

/** Absolute path of a folder that the package brings; of its own for an empty name. */
export const packageFolder = (name: string): string =>
	join(dirname(PACKAGE), name).replace(/\/$/, "");

const pathOfPage = (page: GuidePage): string =>
	join(dirname(PACKAGE), "docs", "user-guide", `${page}.md`);

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

export function packageVersion(): string {
	const text = readFileSync(PACKAGE, "utf8");
	const content: unknown = JSON.parse(text);
	const found =
		typeof content === "object" && content !== null && "version" in content
			? content.version
			: undefined;
	return typeof found === "string" ? found : "unknown";
}
