import { Field, isMapping, type Path, seatFields, taskFields } from "./field.ts";
import { harnessNamed } from "./harnesses.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** Value of `coach` that leaves the seat empty. */
export const NO_COACH = "none";

/** Place of a value of the long form, and of the short form that stands for it. */
interface Meant {
	readonly path: Path;
	readonly by: Path;
}

/** A file without short forms. */
export interface LongForm {
	readonly value: Mapping;
	/** Place in the file of what rules know by a path of the long form. */
	readonly writtenAt: (path: Path) => Path;
}

/**
 * Writes the short forms of a file out: a text as a check or a task, `player` and `coach`. Values of the wrong type stay
 * as they are, for the schema to report.
 *
 * @example `{ player: "claude", tasks: { a: "Fix it" } }` also has agent `claude`, and in task `a` the keys
 * `description: "Fix it"` and `agent: "claude"`
 */
export function longForm(file: Mapping): LongForm {
	const meant: Meant[] = [];
	const plain = {
		...file,
		...entriesOf(file, { key: "checks", word: "run", more: { kind: "acceptance" } }, meant),
		...entriesOf(file, { key: "tasks", word: "description", more: {} }, meant),
	};
	const root = Field.root(plain);
	const tasks = taskFields(root);
	const named = [root, ...tasks.map(({ field }) => field)].flatMap((field) => [
		field.at("player"),
		field.at("coach"),
	]);
	if (!named.some(({ present }) => present)) return { value: plain, writtenAt: placeIn(meant) };
	const seated = tasks.map(({ id, field }) => [id, withSeats(field, root, meant)] as const);
	return {
		value: {
			...plain,
			...agentsFor(named, root, meant),
			...(tasks.length === 0 ? {} : { tasks: Object.fromEntries(seated) }),
		},
		writtenAt: placeIn(meant),
	};
}

function placeIn(meant: readonly Meant[]): LongForm["writtenAt"] {
	return (path) => {
		const found = meant.find((each) => each.path.every((step, index) => path[index] === step));
		return found === undefined ? path : [...found.by, ...path.slice(found.path.length)];
	};
}

function entriesOf(
	file: Mapping,
	{ key, word, more }: { readonly key: string; readonly word: string; readonly more: Mapping },
	meant: Meant[],
): Mapping {
	const entries = file[key];
	if (!isMapping(entries)) return {};
	const long = Object.entries(entries).map(([name, value]) => {
		if (typeof value !== "string") return [name, value] as const;
		meant.push({ path: [key, name, word], by: [key, name] });
		return [name, { ...more, [word]: value }] as const;
	});
	return { [key]: Object.fromEntries(long) };
}

/** A coding agent needs no entry of its own: its name says how it is started. */
function agentsFor(named: readonly Field[], root: Field, meant: Meant[]): Mapping {
	const agents = root.at("agents");
	const own = agents.present ? agents.value : {};
	if (!isMapping(own)) return {};
	const added = named.flatMap(({ value, path }) => {
		const adapter = harnessNamed(value);
		if (adapter === undefined || agents.at(adapter).present) return [];
		meant.push({ path: ["agents", adapter], by: path });
		return [[adapter, { adapter }] as const];
	});
	return added.length === 0 ? {} : { agents: { ...own, ...Object.fromEntries(added) } };
}

type Addition = readonly [key: string, value: unknown, by: Field];

/** Keys of the file's own stay. */
function filled(own: Mapping, path: Path, additions: readonly Addition[], meant: Meant[]): Mapping {
	const lacking = additions.filter(([key, , by]) => by.present && !Object.hasOwn(own, key));
	for (const [key, , by] of lacking) meant.push({ path: [...path, key], by: by.path });
	return { ...own, ...Object.fromEntries(lacking.map(([key, value]) => [key, value])) };
}

const isOwn = ({ path }: Field): boolean => path[0] === "tasks";
const NOBODY = new Field([], []);
const firstOf = (fields: readonly Field[]): Field =>
	fields.find(({ present }) => present) ?? NOBODY;

/** The task's own words come first, those of `defaults` next, and those for the whole file last. */
function withSeats(task: Field, root: Field, meant: Meant[]): unknown {
	const { value: own, path } = task;
	if (!isMapping(own)) return own;
	const pair = task.at("overlays").at("paired_workflow");
	const said = task.at("coach");
	if (task.at("formal_review").value === true) {
		const reviewer = firstOf([task.at("agent"), ...[said, root.at("coach")].filter(isSomebody)]);
		return filled(own, path, [["agent", reviewer.value, reviewer]], meant);
	}
	const long = seatFields(task);
	const ownSeats = [task.at("agent"), pair.at("driver_agent")].filter(isOwn);
	const player = firstOf([task.at("player"), ...ownSeats, long.player, root.at("player")]);
	const isOff = pair.at("enabled").value === false;
	const usual = isOff ? [] : [pair.at("challenger_agent"), root.at("coach")];
	const coach = firstOf([said, ...usual]);
	const isEmpty = said.value === NO_COACH && pair.present;
	const seats: readonly Addition[] = isSomebody(coach)
		? [
				["enabled", true, coach],
				["driver_agent", player.value, player],
				["challenger_agent", coach.value, coach],
			]
		: [["enabled", false, isEmpty ? said : NOBODY]];
	return withPair(filled(own, path, [["agent", player.value, player]], meant), path, seats, meant);
}

const isSomebody = ({ text }: Field): boolean => text !== undefined && text !== NO_COACH;

function withPair(task: Mapping, path: Path, seats: readonly Addition[], meant: Meant[]): Mapping {
	const overlays = task["overlays"] ?? {};
	const pair = (isMapping(overlays) ? overlays["paired_workflow"] : null) ?? {};
	// What is written as something else is reported as that.
	if (!(isMapping(overlays) && isMapping(pair)) || !seats.some(([, , by]) => by.present))
		return task;
	const place = [...path, "overlays", "paired_workflow"];
	const paired = filled(pair, place, seats, meant);
	return { ...task, overlays: { ...overlays, paired_workflow: paired } };
}
