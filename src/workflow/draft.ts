import type * as z from "zod";
import { type Fields, isFields, type Path } from "../kernel/fields.ts";
import type { workflowSchema } from "./schema.ts";

type Keys<T> = T extends unknown ? keyof T : never;
type At<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;

/** A list, or what stands in its place: {@link listOf} tells. */
interface List<Item> {
	readonly [index: number]: Item;
}

/**
 * A part of the file before it is known to have the right types. Names of keys are the schema's; each value is unknown,
 * and reading a key of what is no mapping gives undefined.
 */
type Draft<T> = DraftOf<Extract<T, object>>;
type DraftOf<T> = [T] extends [never]
	? unknown
	: [T] extends [readonly (infer Item)[]]
		? List<Draft<Item>> | null | undefined
		: { readonly [Key in Keys<T>]?: Draft<At<T, Key>> } | null | undefined;

type Present<T> = Exclude<T, null | undefined>;

export type FileDraft = Present<Draft<z.input<typeof workflowSchema>>>;

type Keyed = Present<Present<FileDraft["tasks"]>[string]>;

export function draftOf(file: Fields): FileDraft {
	// All that the type claims is how keys are called.
	return file as FileDraft;
}

export function textOf(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf<Item>(list: List<Item> | null | undefined): readonly Item[];
export function listOf(list: unknown): readonly unknown[];
export function listOf(list: unknown): readonly unknown[] {
	return Array.isArray(list) ? list : [];
}

/** The texts of a list with their places in it. */
export function wordsOf(list: unknown): { readonly text: string; readonly index: number }[] {
	return listOf(list).flatMap((each, index) => {
		const text = textOf(each);
		return text === undefined ? [] : [{ text, index }];
	});
}

export function entriesOf<Value>(
	mapping: Readonly<Record<string, Value>> | null | undefined,
): [name: string, value: Value][] {
	return isFields(mapping) ? Object.entries(mapping) : [];
}

/** A value with the place where it is written. */
export interface Said {
	readonly value: unknown;
	readonly path: Path;
}

/**
 * A task as its rules read it: over `defaults`, of which a formal review takes no overlay. `pair` and `loop` are those
 * that are enabled. A formal review has a coach only; a pair's driver may be named by `agent`.
 */
export interface TaskDraft extends ReturnType<typeof partsOf> {
	readonly id: string;
	/** Without `defaults`. */
	readonly own: unknown;
	readonly task: Keyed;
	readonly said: (...keys: Path) => Said;
	/** Place of a key: in the task or, if it comes from there, in `defaults`. */
	readonly at: (...keys: Path) => Path;
}

/** Each task over `defaults`: mappings merge key by key, and else the task wins, also with a list or a wrong value. */
export function tasksOf({ tasks, defaults }: FileDraft): TaskDraft[] {
	return entriesOf(tasks).map(([id, own]) => {
		const { overlays: _overlays, ...plain } = isFields(defaults) ? defaults : {};
		const whole = merged(own, own?.formal_review === true ? plain : defaults);
		const task: Keyed = isFields(whole) ? whole : {};
		const isLower = (keys: Path): boolean =>
			valueAt(own, keys) === undefined && valueAt(defaults, keys) !== undefined;
		const at = (...keys: Path): Path => [
			...(isLower(keys) ? ["defaults"] : ["tasks", id]),
			...keys,
		];
		const said = (...keys: Path): Said => ({ value: valueAt(task, keys), path: at(...keys) });
		return { id, own, task, ...partsOf(task), said, at };
	});
}

function partsOf(task: Keyed) {
	const { paired_workflow: pair, confidence_loop: loop } = task.overlays ?? {};
	const isReview = task.formal_review === true;
	const common = {
		isReview,
		pair: pair?.enabled === true ? pair : undefined,
		loop: loop?.enabled === true ? loop : undefined,
	};
	const agent = textOf(task.agent);
	const plain = { ...common, playerKeys: ["agent"] };
	if (isReview) return { ...plain, player: undefined, coach: agent };
	if (pair?.enabled !== true) return { ...plain, player: agent, coach: undefined };
	const coach = textOf(pair.challenger_agent);
	if (pair.driver_agent === undefined) return { ...plain, player: agent, coach };
	const player = textOf(pair.driver_agent);
	return { ...common, playerKeys: ["overlays", "paired_workflow", "driver_agent"], player, coach };
}

function merged(upper: unknown, lower: unknown): unknown {
	if (!(isFields(upper) && isFields(lower))) return upper;
	const own = Object.entries(upper).map(([key, value]) => [
		key,
		Object.hasOwn(lower, key) ? merged(value, lower[key]) : value,
	]);
	return { ...lower, ...Object.fromEntries(own) };
}

function valueAt(value: unknown, keys: Path): unknown {
	return keys.reduce(
		(each, key) => new Map<unknown, unknown>(Object.entries(each ?? {})).get(String(key)),
		value,
	);
}
