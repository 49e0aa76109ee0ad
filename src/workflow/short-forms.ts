import { type Fields, isFields, type Path } from "../kernel/fields.ts";
import { draftOf, type FileDraft, type Said, type TaskDraft, tasksOf, textOf } from "./draft.ts";
import { harnessNamed } from "./harnesses.ts";

/** Value of `coach` that leaves the seat empty. */
export const NO_COACH = "none";

/** Place of a value of the long form, and of the short form that stands for it. */
interface Meant {
	readonly path: Path;
	readonly by: Path;
}

/** A file without short forms. */
export interface LongForm {
	readonly value: Fields;
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
export function longForm(file: Fields): LongForm {
	const meant: Meant[] = [];
	const plain = {
		...file,
		...entriesOf(file, { key: "checks", word: "run", more: { kind: "acceptance" } }, meant),
		...entriesOf(file, { key: "tasks", word: "description", more: {} }, meant),
	};
	const root = draftOf(plain);
	const tasks = tasksOf(root);
	const inFile = (key: "player" | "coach"): Said => ({ value: root[key], path: [key] });
	const named = [inFile, ...tasks.map(({ said }) => said)].flatMap((said) => [
		said("player"),
		said("coach"),
	]);
	if (!named.some(isSaid)) return { value: plain, writtenAt: placeIn(meant) };
	const seated = tasks.map((task) => [task.id, withSeats(task, inFile, meant)] as const);
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
	file: Fields,
	{ key, word, more }: { readonly key: string; readonly word: string; readonly more: Fields },
	meant: Meant[],
): Fields {
	const entries = file[key];
	if (!isFields(entries)) return {};
	const long = Object.entries(entries).map(([name, value]) => {
		if (typeof value !== "string") return [name, value] as const;
		meant.push({ path: [key, name, word], by: [key, name] });
		return [name, { ...more, [word]: value }] as const;
	});
	return { [key]: Object.fromEntries(long) };
}

/** A coding agent needs no entry of its own: its name says how it is started. */
function agentsFor(named: readonly Said[], { agents = {} }: FileDraft, meant: Meant[]): Fields {
	if (!isFields(agents)) return {};
	const added = named.flatMap(({ value, path }) => {
		const adapter = harnessNamed(value);
		if (adapter === undefined || Object.hasOwn(agents, adapter)) return [];
		meant.push({ path: ["agents", adapter], by: path });
		return [[adapter, { adapter }] as const];
	});
	return added.length === 0 ? {} : { agents: { ...agents, ...Object.fromEntries(added) } };
}

type Addition = readonly [key: string, value: unknown, by: Said];

/** Keys of the file's own stay. */
function filled(own: Fields, path: Path, additions: readonly Addition[], meant: Meant[]): Fields {
	const lacking = additions.filter(([key, , by]) => isSaid(by) && !Object.hasOwn(own, key));
	for (const [key, , by] of lacking) meant.push({ path: [...path, key], by: by.path });
	return { ...own, ...Object.fromEntries(lacking.map(([key, value]) => [key, value])) };
}

const isSaid = ({ value }: Said): boolean => value !== undefined;
const NOBODY: Said = { value: undefined, path: [] };
const firstOf = (all: readonly Said[]): Said => all.find(isSaid) ?? NOBODY;

/** The task's own words come first, those of `defaults` next, and those for the whole file last. */
function withSeats(
	task: TaskDraft,
	inFile: (key: "player" | "coach") => Said,
	meant: Meant[],
): unknown {
	const { own, said: saidAt, isReview } = task;
	const path = task.at();
	if (!isFields(own)) return own;
	const inPair = (key: string): Said => saidAt("overlays", "paired_workflow", key);
	const [agent, said] = [saidAt("agent"), saidAt("coach")];
	if (isReview) {
		const reviewer = firstOf([agent, ...[said, inFile("coach")].filter(isSomebody)]);
		return filled(own, path, [["agent", reviewer.value, reviewer]], meant);
	}
	const ownSeats = [agent, inPair("driver_agent")].filter((each) => each.path[0] === "tasks");
	const player = firstOf([
		saidAt("player"),
		...ownSeats,
		saidAt(...task.playerKeys),
		inFile("player"),
	]);
	const isOff = inPair("enabled").value === false;
	const coach = firstOf([said, ...(isOff ? [] : [inPair("challenger_agent"), inFile("coach")])]);
	const isEmpty = said.value === NO_COACH && isSaid(saidAt("overlays", "paired_workflow"));
	const seats: readonly Addition[] = isSomebody(coach)
		? [
				["enabled", true, coach],
				["driver_agent", player.value, player],
				["challenger_agent", coach.value, coach],
			]
		: [["enabled", false, isEmpty ? said : NOBODY]];
	return withPair(filled(own, path, [["agent", player.value, player]], meant), path, seats, meant);
}

const isSomebody = ({ value }: Said): boolean => textOf(value) !== undefined && value !== NO_COACH;

function withPair(task: Fields, path: Path, seats: readonly Addition[], meant: Meant[]): Fields {
	const overlays = task["overlays"] ?? {};
	const pair = (isFields(overlays) ? overlays["paired_workflow"] : null) ?? {};
	// What is written as something else is reported as that.
	if (!(isFields(overlays) && isFields(pair)) || !seats.some(([, , by]) => isSaid(by))) return task;
	const place = [...path, "overlays", "paired_workflow"];
	const paired = filled(pair, place, seats, meant);
	return { ...task, overlays: { ...overlays, paired_workflow: paired } };
}
