import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { placesOf } from "../places/places.ts";
import { openStore, type Store } from "../places/store.ts";
import { item, RUN, run, TASK, task } from "../store/record-builders.contract.ts";
import type { Lease } from "../store/records.ts";
import { findItem, resolveItem, versionOf } from "./answer-item.ts";

const ID = "repo-0123456789ab";

let root: string;
let store: Store;
let lease: Lease;
beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), "spar-version-"));
	mkdirSync(join(root, ".sparring"));
	writeFileSync(join(root, ".sparring", "repository-id"), `${ID}\n`);
	store = await openStore(placesOf(root, { SPAR_CHECKOUTS: "/checkouts" }));
	lease = await store.leases.take(RUN);
	await store.records.createRun(run(), [task()], lease);
	const checkout = join("/checkouts", ID, RUN, TASK, "player");
	const question = item({ context: { checkout } });
	await store.records.commit(lease, [{ kind: "item", item: question }]);
});
afterEach(async () => {
	await lease.release();
	await store.close();
	rmSync(root, { recursive: true });
});

const answer = async (version: string) =>
	resolveItem(store.records, "i1", { take: "developer", version, env: {}, root });

test("an answer that names what was shown is taken, though the checkout's path is stored in another way", async () => {
	const shown = await findItem(store.records, "i1");
	expect(shown.context.checkout).toContain("/checkouts/");
	expect(await answer(await versionOf(store.records, shown))).toMatchObject({ status: "RESOLVED" });
});

test("an answer to what was shown before the work moved on is refused", async () => {
	const version = await versionOf(store.records, await findItem(store.records, "i1"));
	const patch = { commit: "f".repeat(40) };
	await store.records.commit(lease, [{ kind: "task", runId: RUN, taskId: TASK, patch }]);
	await expect(answer(version)).rejects.toMatchObject({ code: "outdated" });
	expect(await findItem(store.records, "i1")).toMatchObject({ status: "PENDING", answer: null });
});
