import { isDeepStrictEqual } from "node:util";
import { applyEdits, findNodeAtLocation, type JSONPath, modify, parseTree } from "jsonc-parser";
import { fieldAt, fieldsOf, isFields, jsonIn, listOf, textAt } from "../../kernel/fields.ts";

/** Entry of an event's hooks in a coding agent's settings, and the one command that it runs. */
export interface AgentHook {
	/** Name of its moment, such as `"Stop"`. */
	readonly event: string;
	readonly entry: unknown;
	readonly command: string;
}

/** Settings after a change: their text (null: nothing is left in them), or the reason for which they stay as they are. */
export type ChangedSettings =
	| { readonly text: string | null }
	| { readonly isSame: true }
	| { readonly reason: string };

/** Adds the hook to settings. All else in them stays. */
export function withHook(text: string, { event, entry, command }: AgentHook): ChangedSettings {
	const settings = jsonIn(text);
	const reason = problemOf(settings, event);
	if (reason !== null) return { reason };
	const entries = listOf(fieldAt(settings, "hooks", event));
	// The user may have given it options, such as `--quick`.
	if (entries.some((each) => commandsOf(each).some((other) => other.includes(command))))
		return { isSame: true };
	const now = entries.length > 0 ? withElement(text, ["hooks", event], entry) : null;
	return changed(text, event, [...entries, entry], now);
}

/** Takes the hook out of settings, with the lists that it was alone in. */
export function withoutHook(text: string, { event, command }: AgentHook): ChangedSettings {
	if (!text.includes(command)) return { isSame: true };
	const settings = jsonIn(text);
	const reason = problemOf(settings, event);
	if (reason !== null) return { reason };
	const entries = listOf(fieldAt(settings, "hooks", event));
	const out: JSONPath[] = [];
	const left = entries.flatMap((entry, nth) => {
		const hooks = listOf(fieldAt(entry, "hooks"));
		const others = hooks.filter((hook) => textAt(hook, "command") !== command);
		const at = ["hooks", event, nth];
		if (others.length === hooks.length) return [entry];
		if (others.length === 0) {
			out.unshift(at);
			return [];
		}
		for (const [each, hook] of hooks.entries())
			if (!others.includes(hook)) out.unshift([...at, "hooks", each]);
		return [{ ...fieldsOf(entry), hooks: others }];
	});
	if (out.length === 0) return { reason: "its hook was changed" };
	return changed(text, event, left, left.length > 0 ? out.reduce(withoutElement, text) : null);
}

function problemOf(settings: unknown, event: string): string | null {
	if (!isFields(settings)) return "it has comments or errors, or is no object";
	const hooks = settings["hooks"] ?? {};
	const fits = isFields(hooks) && Array.isArray(hooks[event] ?? []);
	return fits ? null : "its hooks have a form of their own";
}

const commandsOf = (entry: unknown): readonly string[] =>
	listOf(fieldAt(entry, "hooks")).flatMap((hook) => textAt(hook, "command") ?? []);

/** @param now the text with the entries in a list that it has; null: the list itself comes or goes */
function changed(
	text: string,
	event: string,
	entries: readonly unknown[],
	now: string | null,
): ChangedSettings {
	const { hooks: before, ...rest } = fieldsOf(jsonIn(text));
	const { [event]: _, ...others } = fieldsOf(before);
	const isKept = entries.length > 0;
	const hooks = isKept ? { ...others, [event]: entries } : others;
	const wanted = Object.keys(hooks).length > 0 ? { ...rest, hooks } : rest;
	const path = "hooks" in wanted ? ["hooks", event] : ["hooks"];
	const edited = now ?? withKey(text, path, isKept ? entries : undefined);
	// Of two keys of one name the first is edited, and JSON has the last.
	if (!isDeepStrictEqual(jsonIn(edited), wanted)) return { reason: "a key stands in it twice" };
	return { text: Object.keys(wanted).length > 0 ? edited : null };
}

const indentIn = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";

function withKey(text: string, path: JSONPath, value: unknown): string {
	const indent = indentIn(text);
	const insertSpaces = !indent.startsWith("\t");
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol };
	return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

// By hand, since the library formats the elements beside it, and takes too much out with the last one.
function elementsAt(text: string, path: JSONPath) {
	const root = parseTree(text);
	const { children = [] } = (root && findNodeAtLocation(root, path)) ?? {};
	return children.map(({ offset, length }) => ({ from: offset, to: offset + length }));
}

function withElement(text: string, path: JSONPath, value: unknown): string {
	const { from, to } = elementsAt(text, path).at(-1) ?? { from: 0, to: 0 };
	const [space = ""] = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, from)) ?? [];
	const lines = JSON.stringify(value, null, indentIn(text));
	const told = space.includes("\n") ? lines.replaceAll("\n", space) : JSON.stringify(value);
	return `${text.slice(0, to)},${space}${told}${text.slice(to)}`;
}

function withoutElement(text: string, path: JSONPath): string {
	const [list, nth] = [elementsAt(text, path.slice(0, -1)), Number(path.at(-1))];
	const [before, own, after] = [list[nth - 1], list[nth], list[nth + 1]];
	if (own === undefined) return text;
	const cut = before === undefined ? own.from : before.to;
	return text.slice(0, cut) + text.slice(before === undefined ? (after?.from ?? own.to) : own.to);
}
