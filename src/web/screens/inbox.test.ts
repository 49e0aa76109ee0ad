import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HumanItem } from "../../human/human-item.ts";
import { openSparring } from "../../library/open-sparring.ts";
import { placesOf } from "../../places/places.ts";
import { openStore } from "../../places/store.ts";
import { item, RUN, run, TASK, task } from "../../store/record-builders.contract.ts";
import type { AnswerBody } from "../protocol.ts";
import { ScreenGround } from "./ground.ts";
import { answerFromPage, inbox, itemDetail } from "./inbox.ts";

let directory: string;
let ground: ScreenGround;
const env = { HOME: tmpdir(), PATH: process.env["PATH"] };

beforeEach(async () => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), "spar-inbox-")));
	execFileSync("git", ["init", "--quiet", "--initial-branch", "main", directory]);
	const sparring = await openSparring({ directory, env });
	ground = new ScreenGround(sparring, placesOf(directory, env), env);
});
afterEach(async () => {
	await ground.close();
	rmSync(directory, { recursive: true });
});

/** Stores a paused run with these questions, each of a task of its own. */
async function asked(...items: readonly HumanItem[]): Promise<void> {
	const store = await openStore(ground.places);
	const lease = await store.leases.take(RUN);
	const tasks = items.map(({ id, taskId }, position) =>
		task({ taskId, position, status: "paused_for_human", humanItem: id }),
	);
	await store.records.createRun(run({ status: "paused_for_user_escalation" }), tasks, lease);
	await store.records.commit(
		lease,
		items.map((each) => ({ kind: "item", item: each })),
	);
	await lease.release();
	await store.close();
}

const conflict = (id: string, taskId = TASK): HumanItem =>
	item({
		id,
		taskId,
		trigger: "conflict",
		choices: ["take_developer", "take_reviewer", "directive"],
		context: { conflicts: [{ finding: "F1" }, { finding: "F2" }] },
	});

async function answer(id: string, body: Omit<AnswerBody, "version">) {
	const { version } = await itemDetail(ground, id);
	return await answerFromPage(ground, id, { ...body, version });
}

test("where nothing was ever run the inbox is empty, and no question is known", async () => {
	expect(await inbox(ground)).toEqual({ cursor: 0, items: [] });
	await expect(itemDetail(ground, "h1")).rejects.toMatchObject({ code: "run-not-found" });
});

test("several conflicts are answered one by one; another answer to one that has one comes too late", async () => {
	await asked(conflict("h1"));
	const { offers } = await itemDetail(ground, "h1");
	expect(offers.map(({ choice, finding }) => [choice, finding])).toEqual([
		["take_developer", "F1"],
		["take_reviewer", "F1"],
		["directive", "F1"],
		["take_developer", "F2"],
		["take_reviewer", "F2"],
		["directive", "F2"],
		["reject", null],
	]);
	await expect(answer("h1", { take: "coach" })).rejects.toMatchObject({ code: "answer-invalid" });
	const first = await answer("h1", { take: "coach", finding: ["f1"] });
	expect(first).toMatchObject({
		can_resume: false,
		item: { resolution: null, answers: { F1: { choice: "take_reviewer" } } },
	});
	const other = answer("h1", { take: "player", finding: ["F1"] });
	await expect(other).rejects.toMatchObject({ code: "outdated" });
	const unknown = answer("h1", { take: "player", finding: ["F9"] });
	await expect(unknown).rejects.toMatchObject({ code: "answer-invalid" });
	expect(await answer("h1", { directive: "count from 1", finding: ["F2"] })).toMatchObject({
		can_resume: true,
		item: { offers: [], resolution: { choice: "directive" } },
	});
	expect((await inbox(ground)).items).toEqual([]);
});

test("a run goes on only once none of its questions is left", async () => {
	await asked(conflict("h1"), conflict("h2", "docs"));
	expect((await inbox(ground)).items.map(({ id }) => id)).toEqual(["h2", "h1"]);
	expect(await answer("h1", { reject: "not wanted" })).toMatchObject({ can_resume: false });
	expect(await answer("h2", { reject: true, notes: "nor this" })).toMatchObject({
		can_resume: true,
		item: { resolution: { choice: "reject", reason: "nor this" } },
	});
});

test("a rejection keeps its notes, and names no finding: it is of the whole question", async () => {
	await asked(conflict("h1"));
	const part = answer("h1", { reject: "not wanted", finding: ["F1"] });
	await expect(part).rejects.toMatchObject({ code: "answer-invalid" });
	expect((await inbox(ground)).items).toHaveLength(1);
	expect(await answer("h1", { reject: "not wanted", notes: "see the wiki" })).toMatchObject({
		item: { resolution: { choice: "reject", reason: "not wanted", notes: "see the wiki" } },
	});
});

test("a database that was removed takes no answer, and the one of a new run is found", async () => {
	await asked(conflict("h1"));
	const { version } = await itemDetail(ground, "h1");
	rmSync(ground.places.stateDir, { recursive: true });
	const late = answerFromPage(ground, "h1", { version, reject: "no" });
	await expect(late).rejects.toMatchObject({ code: "run-not-found" });
	expect(await inbox(ground)).toEqual({ cursor: 0, items: [] });
	mkdirSync(ground.places.stateDir);
	await asked(conflict("h2"));
	expect((await inbox(ground)).items.map(({ id }) => id)).toEqual(["h2"]);
	expect(await answer("h2", { reject: "no" })).toMatchObject({ item: { status: "REJECTED" } });
});

test("a spent budget is enlarged from the page, by what it limits", async () => {
	const usd = { limit: 1, spent: 1 };
	await asked(
		item({
			id: "h1",
			trigger: "budget",
			choices: ["continue"],
			context: { budget: { scope: "run", usd, wall: null } },
		}),
	);
	const { offers } = await itemDetail(ground, "h1");
	expect(offers.map(({ choice, limit }) => [choice, limit])).toEqual([
		["add_budget", "usd"],
		["continue", null],
		["reject", null],
	]);
	await expect(answer("h1", { add_wall: "1h" })).rejects.toMatchObject({ code: "answer-invalid" });
	await expect(answer("h1", { add_usd: 1, take: "continue" })).rejects.toMatchObject({
		code: "answer-invalid",
	});
	expect(await answer("h1", { add_usd: 2.5 })).toMatchObject({
		item: { resolution: { choice: "continue", add_usd: 2.5 } },
	});
});

test("a question says which later run of its workflow has its task, too", async () => {
	await asked(conflict("h1"));
	expect((await inbox(ground)).items).toMatchObject([{ id: "h1", replaced_by: null }]);
	const store = await openStore(ground.places);
	const lease = await store.leases.take("later");
	await store.records.createRun(run({ runId: "later" }), [task({ runId: "later" })], lease);
	await lease.release();
	await store.close();
	expect((await inbox(ground)).items).toMatchObject([{ id: "h1", replaced_by: "later" }]);
	expect(await itemDetail(ground, "h1")).toMatchObject({ replaced_by: "later" });
});
