import { readlinkSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { HumanItem } from "../human/human-item.ts";
import { attempt } from "../kernel/attempt.ts";
import type { Records, RunRecord, Write } from "../store/records.ts";
import type { StoredEvent, TraceEvent } from "../trace/event.ts";
import { type HomePlaces, knownCheckouts } from "./places.ts";

/**
 * The records with paths as this machine has them, while what is stored names no directory of any machine: a checkout
 * is stored below the directory of all checkouts (`RUN/TASK/player`), and the file of a recording as seen from the top of
 * the repository (`../cassette.jsonl`). So records stay true when the repository moves, and on another machine.
 *
 * A checkout is read as null while the repository does not know where its checkouts stand.
 */
export function portableRecords(records: Records, places: HomePlaces): Records {
	const { root } = places;
	const stored = (path: string | null): string | null => storedCheckout(places, path);
	const local = (name: string | null): string | null => localCheckout(places, name);
	const localItem = (item: HumanItem): HumanItem => withItemCheckout(item, local);
	const localEvents = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
		events.map((event) => withEventCheckout(event, local));
	const localRun = (run: RunRecord): RunRecord =>
		withRecordFile(run, (name) => resolve(root, name));
	const storedWrites = (writes: readonly Write[]): Write[] =>
		writes.map((write) => withWriteCheckout(write, stored));
	return {
		...records,
		createRun: async (run, tasks, fence, writes = []) => {
			const told = withRecordFile(run, (file) => relative(root, file));
			return localEvents(await records.createRun(told, tasks, fence, storedWrites(writes)));
		},
		commit: async (fence, writes) => localEvents(await records.commit(fence, storedWrites(writes))),
		runs: async () => (await records.runs()).map(localRun),
		run: async (runId) => {
			const run = await records.run(runId);
			return run && localRun(run);
		},
		items: async (runId) => (await records.items(runId)).map(localItem),
		item: async (itemId) => {
			const item = await records.item(itemId);
			return item && localItem(item);
		},
		answer: async (...given) => localItem(await records.answer(...given)),
		answerFindings: async (...given) => localItem(await records.answerFindings(...given)),
		openItems: async () => (await records.openItems()).map(localItem),
		eventsAfter: async (...asked) => localEvents(await records.eventsAfter(...asked)),
		events: async (...asked) => localEvents(await records.events(...asked)),
	};
}

type Rename = (path: string | null) => string | null;

function storedCheckout(places: HomePlaces, path: string | null): string | null {
	const home = knownCheckouts(places);
	if (path === null || home === null) return path;
	const name = relative(home, path);
	return name.startsWith("..") || isAbsolute(name) ? path : name;
}

function localCheckout(places: HomePlaces, name: string | null): string | null {
	if (name === null || isAbsolute(name)) return name;
	const [run = "", ...rest] = name.split(sep);
	// Whatever the environment says now; null once the checkouts are removed.
	const linked = attempt(() => readlinkSync(join(places.stateDir, "worktrees", run)), null);
	if (linked !== null) return join(linked, ...rest);
	const home = knownCheckouts(places);
	return home === null ? null : join(home, name);
}

function withRecordFile(run: RunRecord, rename: (path: string) => string): RunRecord {
	return run.recordFile === null ? run : { ...run, recordFile: rename(run.recordFile) };
}

function withItemCheckout(item: HumanItem, rename: Rename): HumanItem {
	const { context } = item;
	// Only the path changes: the context stays that of the item's trigger.
	return { ...item, context: { ...context, checkout: rename(context.checkout) } } as HumanItem;
}

// Only these two events name the player's checkout by its path.
function withEventCheckout<E extends TraceEvent>(event: E, rename: Rename): E {
	if (event.type !== "task-started" && event.type !== "task-ended") return event;
	return { ...event, data: { ...event.data, checkout: rename(event.data.checkout) } };
}

function withWriteCheckout(write: Write, rename: Rename): Write {
	if (write.kind === "event") return { ...write, event: withEventCheckout(write.event, rename) };
	if (write.kind === "item") return { ...write, item: withItemCheckout(write.item, rename) };
	return write;
}
