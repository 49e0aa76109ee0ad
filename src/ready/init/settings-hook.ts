import { isDeepStrictEqual } from "node:util";
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { fieldAt, fieldsOf, isFields, jsonIn, listOf, textAt } from "../../kernel/fields.ts";

/** Entry of `hooks.Stop` in Claude Code's settings, and the one command that it runs. */
export interface StopHook {
	readonly entry: unknown;
	readonly command: string;
}

/** Settings after a change: their text (null: nothing is left in them), or the reason for which they stay as they are. */
export type ChangedSettings =
	| { readonly text: string | null }
	| { readonly isSame: true }
	| { readonly reason: string };

/** Adds the hook to settings. All else in them stays. */
export function withStopHook(text: string, { entry, command }: StopHook): ChangedSettings {
	const settings = jsonIn(text);
	const reason = problemOf(settings);
	if (reason !== null) return { reason };
	const stops = stopsIn(settings);
	// The user may have given it options, such as `--quick`.
	if (stops.some((each) => commandsOf(each).some((other) => other.includes(command))))
		return { isSame: true };
	return changed(text, [...stops, entry]);
}

/** Takes the hook out of settings, with the lists that it was alone in. */
export function withoutStopHook(text: string, { command }: StopHook): ChangedSettings {
	if (!text.includes(command)) return { isSame: true };
	const settings = jsonIn(text);
	const reason = problemOf(settings);
	if (reason !== null) return { reason };
	const stops = stopsIn(settings);
	const left = stops.flatMap((entry) => {
		const hooks = listOf(fieldAt(entry, "hooks"));
		const others = hooks.filter((hook) => textAt(hook, "command") !== command);
		if (others.length === hooks.length) return [entry];
		return others.length === 0 ? [] : [{ ...fieldsOf(entry), hooks: others }];
	});
	return isDeepStrictEqual(left, stops) ? { reason: "its hook was changed" } : changed(text, left);
}

function problemOf(settings: unknown): string | null {
	if (!isFields(settings)) return "it has comments or errors, or is no object";
	const hooks = settings["hooks"] ?? {};
	const fits = isFields(hooks) && Array.isArray(hooks["Stop"] ?? []);
	return fits ? null : "its hooks have a form of their own";
}

const stopsIn = (settings: unknown): readonly unknown[] =>
	listOf(fieldAt(settings, "hooks", "Stop"));

const commandsOf = (entry: unknown): readonly string[] =>
	listOf(fieldAt(entry, "hooks")).flatMap((hook) => textAt(hook, "command") ?? []);

function changed(text: string, stops: readonly unknown[]): ChangedSettings {
	const { hooks: before, ...rest } = fieldsOf(jsonIn(text));
	const { Stop: _, ...others } = fieldsOf(before);
	const isKept = stops.length > 0;
	const hooks = isKept ? { ...others, Stop: stops } : others;
	const wanted = Object.keys(hooks).length > 0 ? { ...rest, hooks } : rest;
	const path = "hooks" in wanted ? ["hooks", "Stop"] : ["hooks"];
	const now = edited(text, path, isKept ? stops : undefined);
	// The library edits the first of two keys of one name, and JSON has the last.
	if (!isDeepStrictEqual(jsonIn(now), wanted)) return { reason: "a key stands in it twice" };
	return { text: Object.keys(wanted).length > 0 ? now : null };
}

function edited(text: string, path: JSONPath, value: unknown): string {
	const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
	const insertSpaces = !indent.startsWith("\t");
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol };
	return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
