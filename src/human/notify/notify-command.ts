import { fillTemplate } from "../../kernel/fill-template.ts";
import type { EndValues, ItemValues } from "./item-values.ts";

/** A command line to run, or why there is none. */
export type NotifyCommand =
	| { readonly kind: "ready"; readonly command: readonly [string, ...string[]] }
	| { readonly kind: "refused"; readonly reason: string };

/** What an agent wrote must not become an option of the program. */
function asArgument(template: string, text: string): string {
	return template.startsWith("${") && text.startsWith("-") ? ` ${text}` : text;
}

/**
 * The command line of a notification. No shell reads it, so no value can add a command; the program itself is never
 * filled in. A value that begins with `-` gets a space before it where it begins an argument.
 *
 * @example `["notify-send", "Sparring", "${TASK_ID}"]` for task `limiter` is `["notify-send", "Sparring", "limiter"]`
 */
export function notifyCommand(
	run: readonly string[],
	values: ItemValues | EndValues,
): NotifyCommand {
	const [program, ...rest] = run;
	if (program === undefined || program.trim() === "")
		return { kind: "refused", reason: "the command names no program" };
	const known: ReadonlyMap<string, string> = new Map(Object.entries(values));
	const words: string[] = [];
	const unknown = new Set<string>();
	for (const template of rest) {
		const filled = fillTemplate(template, (name) => known.get(name));
		if (filled.kind === "filled") words.push(asArgument(template, filled.text));
		else for (const name of filled.names) unknown.add(`\${${name}}`);
	}
	if (unknown.size > 0) {
		const names = [...unknown].join(", ");
		return { kind: "refused", reason: `the command names ${names}, which it cannot use` };
	}
	return { kind: "ready", command: [program, ...words] };
}
