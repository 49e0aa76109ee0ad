import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ItemDetail } from "../../src/web/protocol.ts";
import { fakeScreens, type Shown, someEvents } from "./fake-screens.ts";
import { openPage, served, withBrowser } from "./open-page.ts";
import { aQuestion, aRun, aTaskDetail } from "./story.ts";

withBrowser();

const RUN = `#/runs/${aRun().run_id}`;

async function opened(shown: Shown, address: string) {
	const screens = fakeScreens(shown);
	const server = await served(screens);
	const { page, problems } = await openPage(server.newUrl());
	await page.getByText("live", { exact: true }).waitFor();
	await page.goto(server.address + address);
	return { page, problems, screens, server };
}

const axe = async (page: Page): Promise<unknown> =>
	(await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [
		id,
		nodes[0]?.html,
	]);

test("a question opens with the code that it is about: its diff, at the first finding", async () => {
	const { page } = await opened({}, "#/");
	const note = page.locator(".diff-note", { hasText: "X-Remaining is negative" });
	await note.waitFor();
	expect(await page.evaluate("scrollY")).toBe(0);
	const first = page.locator(".item-facts > :first-child");
	expect(await first.getAttribute("id")).toBe("diff");

	const question = aQuestion();
	const budget = { ...question, trigger: "budget", context: { ...question.context, budget: null } };
	// Its context is that of a question about a budget.
	const other = await opened({ items: [budget as ItemDetail] }, "#/");
	await other.page.getByText("Your answer").waitFor();
	expect(await other.page.locator("#diff[open]").count()).toBe(0);
});

test("a comment on a line of the diff is part of the directive, and can be taken back", async () => {
	const { page, problems, screens } = await opened({}, "#/");
	const comment = async (line: string, text: string): Promise<void> => {
		await page.locator(".diff-row", { hasText: line }).first().hover();
		await page
			.locator(".diff-row", { hasText: line })
			.first()
			.getByRole("button", { name: "Comment on" })
			.click();
		await page.getByRole("dialog").getByRole("textbox").fill(text);
		await page.getByRole("button", { name: "Add to the directive" }).click();
	};
	await comment("this.now = now", "Call it clock.");
	await comment("constructor(rate)", "Keep this, too.");
	await page.locator(".diff-note", { hasText: "Call it clock." }).waitFor();
	expect(await axe(page)).toEqual([]);
	const words = page.getByRole("textbox", { name: "What the player is told" });
	await words.fill("Two more things.");
	await page.getByRole("button", { name: "Answer", exact: true }).click();
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	const directive =
		"Two more things.\nsrc/headers.js:14: Call it clock.\nsrc/headers.js:11 (before the change): Keep this, too.";
	expect(screens.answered).toEqual([["h1", { version: "v1", directive }]]);
	expect(problems).toEqual([]);

	const again = await opened({}, "#/");
	const row = again.page.locator(".diff-row", { hasText: "this.now = now" });
	await row.hover();
	await row.getByRole("button", { name: "Comment on src/headers.js:14" }).click();
	await again.page.getByRole("dialog").getByRole("textbox").fill("No.");
	await again.page.getByRole("button", { name: "Add to the directive" }).click();
	await again.page.getByRole("button", { name: "Remove" }).click();
	expect(await again.page.getByText("No.", { exact: true }).count()).toBe(0);
	const answer = again.page.getByRole("button", { name: "Answer", exact: true });
	expect(await answer.isDisabled()).toBe(true);
});

test("an inbox of several runs says which, and folds what a newer run of the same work replaced", async () => {
	const items = [
		aQuestion({ id: "h2", run_id: "20261122-1000-newe", reason: "The newer run asks" }),
		aQuestion({ replaced_by: "20261122-1000-newe" }),
	];
	const { page, problems } = await opened({ items }, "#/");
	await page.getByRole("heading", { level: 1, name: "The newer run asks" }).waitFor();
	await page.locator("#h2").getByText("rate-limiter, run 20261122-1000-newe").waitFor();
	expect(await page.title()).toContain("(1) Inbox");
	expect(await page.locator("#h1").count()).toBe(0);
	await page.keyboard.press("j");
	await page.getByRole("heading", { level: 1, name: "The newer run asks" }).waitFor();
	await page.getByText("1 of runs that a newer one replaced").click();
	await page.locator("#h1").click();
	await page.getByRole("heading", { level: 1, name: "Max turns (3) reached" }).waitFor();
	await page
		.getByText("A newer run of this workflow has the task, too")
		.getByRole("link", { name: "20261122-1000-newe" })
		.waitFor();
	expect(await axe(page)).toEqual([]);
	expect(problems).toEqual([]);
});

const primary = (page: Page): Promise<string[]> =>
	page.locator(".title-line .primary").allTextContents();

test("the blue button of a run does what comes next, and what can be done", async () => {
	const waiting = { run: { holder: null, status: "paused_for_user_escalation" } } as const;
	const over = { ended_at: aRun().created_at, questions: [] } as const;
	const free = { holder: null } as const;
	const scenes = [
		[waiting, ["Answer"]],
		[{ ...over, run: { ...free, status: "failed" } }, ["Resume …"]],
		[{ ...over, run: { ...free, status: "completed" } }, ["Land …"]],
		[{ ...over, run: { ...free, status: "completed", pruned: true } }, []],
		[{ ...over, ended_at: null, run: { holder: "bench:4711" } }, []],
	] as const;
	for (const [run, buttons] of scenes) {
		const { page } = await opened({ run }, RUN);
		await page.getByRole("heading", { name: "Tasks" }).waitFor();
		expect([run, await primary(page)]).toEqual([run, buttons]);
	}
	const answered = {
		status: "paused_for_human",
		human_item: "h1",
		human_item_answered: true,
	} as const;
	const held = await opened(
		{ task: { report: answered, run: { holder: "bench:4711" } } },
		`${RUN}/tasks/limiter`,
	);
	await held.page.getByText("bench:4711 takes it up").waitFor();
	expect(await primary(held.page)).toEqual([]);
});

test("the last word of a task that waits is its question", async () => {
	const { page } = await opened({}, RUN);
	const row = page.locator(".task-row[href$=headers]");
	await row.getByText("Max turns (3) reached without approval").waitFor();
});

test("the turn that is shown is marked and in view among many, and only agents' time is theirs", async () => {
	const [first] = aTaskDetail().task.turns;
	if (first === undefined) throw new Error("the story has turns");
	const turns = Array.from({ length: 30 }, (_, index) => ({ ...first, turn: index + 1 }));
	const shown = { task: { report: { turns: 30 }, bound: 30, turns } };
	const { page, problems, screens, server } = await opened(shown, `${RUN}/tasks/limiter`);
	const entered = someEvents(7).map((event) => ({ ...event, id: event.id + 100 }));
	screens.happen(
		...turns.flatMap(({ turn }) =>
			entered.map((event) => ({ ...event, id: event.id + turn * 10, turn })),
		),
	);
	await page.reload();
	const inside = (box: string): Promise<unknown> =>
		page.evaluate(`(() => {
			const outer = document.querySelector("${box}").getBoundingClientRect();
			const { left, right, top, bottom } = document.querySelector("${box} [aria-current]").getBoundingClientRect();
			return left >= outer.left - 1 && right <= outer.right + 1 && top >= outer.top - 1 && bottom <= outer.bottom + 1;
		})()`);
	await page.locator(".strip [aria-current]", { hasText: "turn 30" }).waitFor();
	await expect
		.poll(() => Promise.all([inside(".stepper"), inside(".strip")]))
		.toEqual([true, true]);
	await page.goto(`${server.address}${RUN}/tasks/limiter?turn=2`);
	await page.locator(".stepper [aria-current]", { hasText: "Turn 2" }).waitFor();
	await page.locator(".strip [aria-current]", { hasText: "turn 2" }).waitFor();
	await expect
		.poll(() => Promise.all([inside(".stepper"), inside(".strip")]))
		.toEqual([true, true]);
	// 30 turns of three calls of 84 s.
	expect(await page.getByText("agents worked").locator("xpath=..").textContent()).toBe(
		"agents worked2h 6m",
	);
	expect(await axe(page)).toEqual([]);
	expect(problems).toEqual([]);
});
