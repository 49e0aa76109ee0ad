import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LoopPlace, runLoop } from "./loop-run.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { openPlainFloors, type PlainFloors } from "./plain-client.ts";
import { type Environment, inScratch } from "./scratch.ts";

/** Turns that are timed, beside the plain script: the first ones are left out, since they make everything anew. */
interface Window {
	readonly from: number;
	readonly to: number;
}

/** What was seen of the turns in a window, by turn. */
interface Seen {
	readonly ours: number[];
	/** The plain script in this process, and in one of its own. */
	readonly plain: number[];
	readonly own: number[];
	readonly prompts: number[];
}

/** Turns over which the growth of the database is taken, so that pages are small against it. */
const GROWTH_TURNS = 50;

const EARLY: Window = { from: 6, to: 35 };

/**
 * Everything about turns, from one run of `turns` turns in this process:
 * a turn against the plain script, a late turn against an early one, and what each adds to database and prompts.
 *
 * A turn is timed from the entry into `player_turn` to the next one: both agents, the check, every checkout,
 * record, checkpoint and event between. Around turn 10 and around the last one the plain script does its turn
 * after each of ours, in this process and in one of its own, so that a busy machine slows all.
 */
export function measureTurns(environment: Environment, turns: number): Promise<Measurement[]> {
	return inScratch(async (scratch) => {
		const plain = await openPlainFloors(scratch, environment);
		const late: Window = { from: turns - 29, to: turns };
		const seen = { early: emptySeen(), late: emptySeen() };
		const bytes = new Map<number, number>();
		const record = recorder(plain, (turn) => {
			if (isWithin(turn, EARLY)) return seen.early;
			return isWithin(turn, late) ? seen.late : null;
		});
		try {
			await runLoop({
				scratch,
				turns: turns + 1,
				environment,
				onTurn: async (turn, place) => {
					if (boundaries(turns).includes(turn)) bytes.set(turn, databaseBytes(place.database));
					await record(turn, place);
				},
			});
		} finally {
			await plain.close();
		}
		return results(turns, seen, bytes);
	});
}

function emptySeen(): Seen {
	return { ours: [], plain: [], own: [], prompts: [] };
}

function isWithin(turn: number, { from, to }: Window): boolean {
	return turn >= from && turn <= to;
}

/** Called before each turn: notes the turn that has just ended where it is one of a window. */
function recorder(plain: PlainFloors, windowOf: (turn: number) => Seen | null) {
	let began = 0;
	return async (turn: number, place: LoopPlace): Promise<void> => {
		const ended = performance.now();
		const seen = windowOf(turn - 1);
		if (seen !== null) {
			seen.ours.push(ended - began);
			seen.prompts.push(promptBytes(place, turn - 1));
			const { here, own } = await plain.turn(turn - 1);
			seen.plain.push(here);
			seen.own.push(own);
		}
		began = performance.now();
	};
}

/** Turns before which the size of the database is read: around turn 10 and around the last one. */
function boundaries(turns: number): readonly [number, number, number, number] {
	return [10, 10 + GROWTH_TURNS, turns - GROWTH_TURNS, turns];
}

function results(
	turns: number,
	{ early, late }: { readonly early: Seen; readonly late: Seen },
	bytes: ReadonlyMap<number, number>,
): Measurement[] {
	const [first, second, third, fourth] = boundaries(turns).map((turn) => bytes.get(turn) ?? 0);
	const grown = (from = 0, to = 0): number => (to - from) / GROWTH_TURNS;
	const multiple = ({ ours, plain }: Seen): number => median(ours) / median(plain);
	return [
		{
			name: "a turn with instant agents against a plain script in a process of its own",
			value: median(early.ours),
			floor: median(early.own),
			unit: "ms",
			target: 4,
		},
		{
			name: "a turn with instant agents against a plain script in the same process",
			value: median(early.ours),
			floor: median(early.plain),
			unit: "ms",
			target: 4,
		},
		{
			name: `time of turn ${turns} against turn 10, each over the plain script beside it`,
			value: multiple(late),
			floor: multiple(early),
			unit: "times",
			target: 1.2,
		},
		{
			name: `database growth at turn ${turns} against turn 10`,
			value: grown(third, fourth),
			floor: grown(first, second),
			unit: "bytes",
			target: 1.2,
		},
		{
			name: `prompts of both seats at turn ${turns} against turn 10, ten findings open`,
			value: median(late.prompts),
			floor: median(early.prompts),
			unit: "bytes",
			target: 1.02,
		},
	];
}

function promptBytes({ context }: LoopPlace, turn: number): number {
	const calls = join(context.places.work, "calls");
	const ofTurn = new RegExp(`^${turn}-(?:player|coach)-1\\b`);
	const folders = readdirSync(calls).filter((name) => ofTurn.test(name));
	if (folders.length !== 2) throw new Error(`turn ${turn} has ${folders.length} calls, not 2`);
	return folders.reduce((sum, name) => sum + statSync(join(calls, name, "prompt.md")).size, 0);
}

/** Bytes in use: pages of the file and its log without free ones. */
function databaseBytes(file: string): number {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const pragma = (name: string): number =>
			Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
		return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
	} finally {
		database.close();
	}
}
