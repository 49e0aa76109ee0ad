import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { choicesFor } from "../human/choices.ts";
import { placesOf } from "../places/places.ts";
import { openStore, type Store } from "../places/store.ts";
import { item, RUN, run, task } from "../store/record-builders.contract.ts";
import { rejectItem, resolveItem } from "./answer-item.ts";

const SECRET = "s3cr3t-of-the-env-0451";
const env = { SERVICE_API_KEY: SECRET };

let directory: string;
let store: Store;
beforeEach(async () => {
	directory = mkdtempSync(join(tmpdir(), "spar-answer-"));
	mkdirSync(join(directory, ".sparring"));
	store = await openStore(placesOf(directory, { HOME: join(directory, "..", "home") }));
	const lease = await store.leases.take(RUN);
	await store.records.createRun(run(), [task()], lease);
	const conflicts = [{ finding: "F1" }, { finding: "F2" }];
	const question = item({
		trigger: "conflict",
		choices: choicesFor("conflict"),
		context: { conflicts },
	});
	await store.records.commit(lease, [{ kind: "item", item: question }]);
	await lease.release();
});
afterEach(async () => {
	await store.close();
	rmSync(directory, { recursive: true });
});

const resolve = (request: Omit<Parameters<typeof resolveItem>[2], "env" | "root">) =>
	resolveItem(store.records, "i1", { ...request, env, root: directory });

test("conflicts are answered one by one, and the last answer closes the question", async () => {
	const half = await resolve({ take: "developer", finding: ["f2"], notes: "it is tested" });
	expect(half).toMatchObject({ status: "PENDING", answer: null });
	expect(half.parts?.["F2"]).toMatchObject({ choice: "take_developer", notes: "it is tested" });
	const closed = await resolve({ directive: "count from 1" });
	expect(closed.status).toBe("RESOLVED");
	expect(closed.answer).toMatchObject({
		choice: "directive",
		directive: "On F1: count from 1",
		notes: "On F2: it is tested",
	});
	expect(await store.records.item("i1")).toEqual(closed);
});

test("the same answer again changes nothing, another one is refused, before the end and after it", async () => {
	const half = await resolve({ take: "developer", finding: ["F1"] });
	expect(await resolve({ take: "developer", finding: ["F1"] })).toEqual(half);
	const other = { code: "answer-invalid" };
	await expect(resolve({ take: "reviewer", finding: ["F1"] })).rejects.toMatchObject(other);
	await expect(resolve({ take: "reviewer", finding: ["F1", "F2"] })).rejects.toMatchObject(other);
	expect(await store.records.item("i1")).toEqual(half);
	const closed = await resolve({ take: "reviewer" });
	expect(await resolve({ take: "reviewer" })).toEqual(closed);
	expect(await resolve({ take: "reviewer", finding: ["F2"] })).toEqual(closed);
	expect(await resolve({ take: "developer", finding: ["F1"] })).toEqual(closed);
	await expect(resolve({ take: "developer" })).rejects.toMatchObject(other);
	await expect(resolve({ directive: "x", finding: ["F1"] })).rejects.toMatchObject(other);
	expect(await store.records.item("i1")).toEqual(closed);
});

test("an answer that does not say which conflict it is for stores nothing", async () => {
	await expect(resolve({ take: "developer" })).rejects.toMatchObject({ code: "answer-invalid" });
	expect((await store.records.item("i1"))?.parts ?? null).toBeNull();
});

test("what a person pastes is masked in each answer", async () => {
	await resolve({ directive: `use ${SECRET}`, notes: SECRET, finding: ["F1"] });
	await resolve({ take: "reviewer", notes: `${SECRET}!` });
	expect(JSON.stringify(await store.records.item("i1"))).not.toContain(SECRET);
});

test("a rejection ends a question of which a part is answered, and no part can follow", async () => {
	await resolve({ take: "developer", finding: ["F1"] });
	const rejected = await rejectItem(store.records, "i1", {
		reason: "not wanted",
		env,
		root: directory,
	});
	expect(rejected).toMatchObject({ status: "REJECTED", answer: { choice: "reject" } });
	const late = { take: "developer", finding: ["F2"] } as const;
	await expect(resolve(late)).rejects.toMatchObject({ code: "answer-invalid" });
});
