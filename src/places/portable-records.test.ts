import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { item, RUN, run, TASK, task } from "../store/record-builders.contract.ts";
import type { Lease, Write } from "../store/records.ts";
import { placesOf } from "./places.ts";
import { openStore, type Store } from "./store.ts";

const ID = "repo-0123456789ab";
const AT = "2026-11-21T22:05:09.000Z";

let home: string;
let store: Store;
let lease: Lease;

const open = (root: string, checkouts: string): Promise<Store> =>
	openStore(placesOf(join(home, root), { SPAR_CHECKOUTS: join(home, checkouts) }));

beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), "spar-portable-"));
	mkdirSync(join(home, "repo", ".sparring"), { recursive: true });
	writeFileSync(join(home, "repo", ".sparring", "repository-id"), `${ID}\n`);
	store = await open("repo", "checkouts");
	lease = await store.leases.take(RUN);
	const recordFile = join(home, "tapes", "run.jsonl");
	await store.records.createRun(run({ recordFile }), [task()], lease);
});
afterEach(async () => {
	await lease.release();
	await store.close();
	rmSync(home, { recursive: true });
});

const checkoutBelow = (folder: string): string => join(home, folder, ID, RUN, TASK, "player");

const ended = (checkout: string | null): Write => ({
	kind: "event",
	run: RUN,
	event: {
		type: "task-ended",
		task: TASK,
		turn: 1,
		node: null,
		timestamp: AT,
		data: { status: "failed", reason: null, turns: 1, merged: false, flags: [], checkout },
	},
});

const question = (checkout: string | null): Write => ({
	kind: "item",
	item: item({ context: { checkout } }),
});

const stored = (): string =>
	["sparring.db", "sparring.db-wal"]
		.map((name) => readFileSync(join(home, "repo", ".sparring", name), "latin1"))
		.join("");

test("no path of this machine is stored, and each is read as it was written", async () => {
	const checkout = checkoutBelow("checkouts");
	const [told] = await store.records.commit(lease, [ended(checkout), question(checkout)]);
	expect(told?.data).toMatchObject({ checkout });
	const [event] = await store.records.events(RUN);
	expect(event?.data).toMatchObject({ checkout });
	expect((await store.records.item("i1"))?.context.checkout).toBe(checkout);
	expect((await store.records.items(RUN))[0]?.context.checkout).toBe(checkout);
	expect((await store.records.openItems())[0]?.context.checkout).toBe(checkout);
	const [streamed] = await store.records.eventsAfter(0, { runId: null, taskId: null }, 9);
	expect(streamed?.data).toMatchObject({ checkout });
	const recordFile = join(home, "tapes", "run.jsonl");
	expect(await store.records.run(RUN)).toMatchObject({ recordFile });
	expect(await store.records.runs()).toMatchObject([{ recordFile }]);
	expect(stored()).toContain(`${RUN}/${TASK}/player`);
	expect(stored()).not.toContain(home);
});

test("a repository that moved, with its checkouts elsewhere, reads where they are now", async () => {
	await store.records.commit(lease, [ended(checkoutBelow("checkouts"))]);
	await lease.release();
	await store.close();
	renameSync(join(home, "repo"), join(home, "moved"));
	store = await open("moved", "others");
	const [event] = await store.records.events(RUN);
	expect(event?.data).toMatchObject({ checkout: checkoutBelow("others") });
});

test("a checkout is where the run made it, also for a shell that names another place", async () => {
	const checkout = checkoutBelow("checkouts");
	await store.records.commit(lease, [ended(checkout)]);
	mkdirSync(join(home, "repo", ".sparring", "worktrees"));
	symlinkSync(join(home, "checkouts", ID, RUN), join(home, "repo", ".sparring", "worktrees", RUN));
	const elsewhere = await open("repo", "others");
	const [event] = await elsewhere.records.events(RUN);
	await elsewhere.close();
	expect(event?.data).toMatchObject({ checkout });
});

test("a path elsewhere stays, none stays none, and a lost id gives none", async () => {
	const lost = checkoutBelow("checkouts");
	await store.records.commit(lease, [ended("/elsewhere"), ended(null), ended(lost)]);
	rmSync(join(home, "repo", ".sparring", "repository-id"));
	expect((await store.records.events(RUN)).map(({ data }) => data)).toMatchObject([
		{ checkout: "/elsewhere" },
		{ checkout: null },
		{ checkout: null },
	]);
});
