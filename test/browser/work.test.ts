import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ItemDetail } from "../../src/web/protocol.ts";
import { fakeScreens, type Shown, someEvents } from "./fake-screens.ts";
import { openPage, served, withBrowser } from "./open-page.ts";
import { aQuestion, aRun, aTaskDetail, type TaskPart } from "./story.ts";

withBrowser();

const RUN = `#/runs/${aRun().run_id}`;
const TASK = `${RUN}/tasks/limiter`;

const { task: STORY } = aTaskDetail();
const [FIRST] = STORY.turns;
const WAITING = {
	status: "paused_for_human",
	phase: "awaiting_human",
	human_item: "h1",
} as const;
const FAILED: TaskPart = {
	report: { status: "failed", phase: "failed", failure_reason: "3 turns without an approval" },
	node: null,
	turns: STORY.turns.map((turn) => ({ ...turn, checks: FIRST?.checks ?? [] })),
	findings: STORY.findings.map((one) => ({ ...one, line: 5, raised_turn: 2 })),
};

const SIGNED: ItemDetail = (() => {
	const question = aQuestion();
	const [side, , , reject] = question.offers;
	if (side === undefined || reject === undefined) throw new Error("the story has four offers");
	const offers = [{ ...side, choice: "continue" as const }, reject];
	// Without the parts of another trigger, its context is that of a signature.
	return { ...question, trigger: "sign_off", offers } as ItemDetail;
})();

/** Opens an address of the page that shows this. */
async function opened(shown: Shown, address: string, options: BrowserContextOptions = {}) {
	const screens = fakeScreens(shown);
	screens.happen(...someEvents(40));
	const server = await served(screens);
	const { page, problems } = await openPage(server.newUrl(), options);
	await page.getByText("live", { exact: true }).waitFor();
	await page.goto(server.address + address);
	return { page, problems, screens, server };
}

const axe = async (page: Page): Promise<unknown> => {
	const { violations } = await new AxeBuilder({ page }).analyze();
	return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
};

const isInView = (page: Page, selector: string): Promise<boolean> =>
	page.evaluate(
		`(() => { const { top, bottom, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return height > 0 && top >= 0 && bottom <= innerHeight + 1; })()`,
	);

test("a file of the diff folds, and one that was viewed stays folded until its content changes", async () => {
	const { page, problems, screens } = await opened({ task: FAILED }, `${TASK}/diff`);
	const line = page.getByText("constructor(rate)");
	await line.waitFor();
	expect(await page.getByText("index 1111111").count()).toBe(0);
	await page.getByRole("button", { name: "src/limiter.js", expanded: true }).click();
	await line.waitFor({ state: "hidden" });
	await page.getByRole("button", { name: "src/limiter.js", expanded: false }).click();
	await line.waitFor();
	await page.getByRole("checkbox", { name: "src/limiter.js is viewed" }).check();
	await line.waitFor({ state: "hidden" });
	await page.reload();
	await page.getByText("1 of 2 viewed").waitFor();
	expect(await line.count()).toBe(0);
	expect(await axe(page)).toEqual([]);

	const place = { run: aRun().run_id, task: "limiter" };
	const diff = await screens.diff(place, { turn: null, since: null });
	screens.show({ diff: diff.replace("1111111..2222222", "1111111..5555555") });
	await page.reload();
	await line.waitFor();
	expect(await page.getByText("1 of 2 viewed").count()).toBe(0);
	expect(problems).toEqual([]);
});

test("a line of the diff has an address, and a finding stands below its line, with links both ways", async () => {
	const { page, problems } = await opened(
		{ task: FAILED },
		`${TASK}/diff?file=src/limiter.js&line=5`,
	);
	await page.locator(".diff-row.target", { hasText: "this.now = now" }).waitFor();
	const note = page.locator(".diff-note", { hasText: "A rate below one a second" });
	await note.getByRole("link", { name: "F1" }).click();
	await page.locator(".cards .target", { hasText: "A rate below one a second" }).waitFor();
	await page.getByRole("link", { name: "src/limiter.js:5" }).click();
	await page.locator(".diff-row.target", { hasText: "this.now = now" }).waitFor();
	expect(await page.evaluate("location.hash")).toContain("line=5");
	await page.reload();
	await page.locator(".diff-row.target").waitFor();
	await expect.poll(() => isInView(page, ".diff-row.target")).toBe(true);
	await page.locator(".diff-row.removed a.number").first().click();
	expect(await page.evaluate("location.hash")).toContain("line=-2");
	expect(await page.locator(".diff-row .t-keyword").count()).toBeGreaterThan(0);
	expect(problems).toEqual([]);
});

test("a finding of a question leads to its line in the question's own diff, and back", async () => {
	const { page } = await opened({}, "#/");
	await page.getByRole("link", { name: "src/headers.js:14" }).click();
	await page.locator(".diff-row.target", { hasText: "this.now = now" }).waitFor();
	await expect.poll(() => isInView(page, ".diff-row.target")).toBe(true);
	await page.locator(".diff-note").getByRole("link", { name: "F1" }).click();
	await expect.poll(() => isInView(page, ".card.target")).toBe(true);
});

test("a diff of 100,000 lines is drawn in rows, and its last line has an address", async () => {
	const lines = Array.from({ length: 100_000 }, (_, index) => `+const a${index} = ${index};`);
	const diff = `diff --git a/big.js b/big.js\nindex 1..2 100644\n--- a/big.js\n+++ b/big.js\n@@ -0,0 +1,100000 @@\n${lines.join("\n")}\n`;
	const { page } = await opened({ diff }, `${TASK}/diff`);
	await page.getByRole("button", { name: "big.js", expanded: false }).waitFor();
	await page.evaluate("location.hash += '?file=big.js&line=99990'");
	await page.locator(".diff-row.target", { hasText: "a99989" }).waitFor();
	expect(await page.locator(".diff-row").count()).toBeLessThan(120);
});

test("only what came since the last look is shown", async () => {
	const [first, second] = STORY.turns;
	if (first === undefined || second === undefined) throw new Error("the story has two turns");
	const { page, screens, server } = await opened({ task: { turns: [first] } }, `${TASK}/diff`);
	await page.getByText("constructor(rate)").waitFor();
	expect(await page.getByRole("combobox").textContent()).not.toContain("since my last look");
	screens.show({ task: { turns: [first, second] } });
	await page.goto(`${server.address}#/runs`);
	await page.getByRole("heading", { name: "Runs" }).waitFor();
	await page.goto(`${server.address}${TASK}/diff`);
	await page.getByRole("combobox").selectOption({ label: "only since my last look (turn 1)" });
	await expect.poll(() => page.evaluate("location.hash")).toContain("since=1");
});

test("d goes to the diff of a task, and of a question", async () => {
	const { page, server } = await opened({}, TASK);
	await page.getByText("Turn 2").first().waitFor();
	await page.keyboard.press("d");
	await page.getByText("constructor(rate)").waitFor();
	await page.goto(`${server.address}#/`);
	await page.getByText("constructor(rate)").waitFor();
	await page.evaluate("scrollTo(0, 100_000)");
	await page.keyboard.press("d");
	await expect.poll(() => isInView(page, "#diff > summary")).toBe(true);
});

test("a failed task begins with the test that failed first, in its words", async () => {
	const { page, problems } = await opened({ task: FAILED }, TASK);
	const failure = page.getByRole("region", { name: "What failed first" });
	await failure.getByText("expected 1 to equal 2").waitFor();
	await failure.getByText("limiter > refills at half a call a second").waitFor();
	expect(await isInView(page, '[aria-label="What failed first"]')).toBe(true);
	await failure.getByRole("button", { name: "output" }).click();
	await page.getByRole("dialog").getByText("PASS 12 tests").waitFor();
	await page.keyboard.press("Escape");
	expect(await axe(page)).toEqual([]);
	expect(problems).toEqual([]);
});

test("a task that only an independent test failed begins with its words", async () => {
	const [first] = FAILED.findings ?? [];
	if (first === undefined) throw new Error("the story has a finding");
	const issue = "half a call a second refills: expected 1 to equal 2";
	const findings = [{ ...first, source: "verification" as const, file: null, line: null, issue }];
	const { page } = await opened({ task: { ...FAILED, findings, turns: [] } }, TASK);
	await page.getByRole("region", { name: "What failed first" }).getByText(issue).waitFor();
});

test("a task that waits begins with its question, and one that is answered with the button to go on, in every part", async () => {
	const waiting = { node: null, report: WAITING };
	const { page } = await opened({ task: waiting }, TASK);
	const question = page.getByRole("region", { name: "The question" });
	await question.getByText("Max turns (3) reached without approval").waitFor();
	expect(await axe(page)).toEqual([]);

	const answered = await opened(
		{ task: { node: null, report: { ...WAITING, human_item_answered: true } } },
		TASK,
	);
	for (const part of ["turns", "findings", "diff", "output", "timeline"]) {
		await answered.page.goto(`${answered.server.address}${TASK}/${part}`);
		await answered.page.getByText("goes on when resumed").first().waitFor();
		await answered.page.getByRole("button", { name: "Resume …" }).waitFor();
	}
	expect(await axe(answered.page)).toEqual([]);
});

test("the answers stay in view in a narrow window, wherever the question is scrolled", async () => {
	for (const width of [1024, 390]) {
		const { page, screens } = await opened({}, "#/", { viewport: { width, height: 844 } });
		await page.getByRole("form", { name: "Your answer" }).waitFor();
		for (const top of [0, 400, 100_000]) {
			await page.evaluate(`scrollTo(0, ${top})`);
			expect([width, top, await isInView(page, ".answer")]).toEqual([width, top, true]);
		}
		expect(await axe(page)).toEqual([]);
		await page.getByText("Take the coach’s side").click();
		await page.getByRole("button", { name: "Answer", exact: true }).click();
		await page.getByRole("heading", { name: "Answered" }).waitFor();
		expect(screens.answered).toHaveLength(1);
	}
});

test("a signature begins with the diff and asks once; a key alone signs nothing", async () => {
	const { page, screens } = await opened({ items: [SIGNED] }, "#/");
	await page.getByText("constructor(rate)").waitFor();
	expect(await isInView(page, "#diff > summary")).toBe(true);
	await page.keyboard.press("Enter");
	expect(screens.answered).toEqual([]);
	await page.getByText("0 of 2 files viewed").waitFor();
	await page.getByRole("checkbox", { name: "src/headers.js is viewed" }).check();
	await page.getByText("1 of 2 files viewed").waitFor();
	expect(await axe(page)).toEqual([]);
	await page.getByRole("button", { name: "Sign", exact: true }).click();
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([["h1", { version: "v1", take: "continue" }]]);
	await page.reload();
	await page.getByText("goes on when resumed").waitFor();
	await page.getByRole("button", { name: "Resume …" }).waitFor();
});

test("output ends inside the window, follows its end, and counts what came while the reader was elsewhere", async () => {
	const lines = (from: number, count: number): string =>
		Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join("");
	const { page, screens } = await opened({ task: FAILED, log: lines(0, 300) }, `${TASK}/output`);
	await page.getByText("line 299").waitFor();
	await page.getByText("following", { exact: true }).waitFor();
	await expect.poll(() => isInView(page, ".rows.log")).toBe(true);
	await page.evaluate("document.querySelector('.rows.log').scrollTop = 0");
	await page.getByRole("button", { name: "to the end" }).waitFor();
	screens.grow(lines(300, 120));
	await page.getByRole("button", { name: "120 new lines" }).click();
	await page.getByText("line 419").waitFor();
	await page.getByText("following", { exact: true }).waitFor();
});

test("Back shows a screen where it was left, and windows are named by their workflow", async () => {
	const { page } = await opened({}, RUN, { viewport: { width: 1280, height: 500 } });
	const box = "document.querySelector('section[aria-label=Timeline]').scrollTop";
	await page.getByText("player dev failed").first().waitFor();
	await expect.poll(() => page.title()).toContain("rate-limiter");
	await page.evaluate("scrollTo(0, 240)");
	await page.evaluate(`${box} = 60`);
	await page.getByRole("button", { name: "to the end" }).waitFor();
	const places = `[scrollY, ${box}]`;
	await expect.poll(() => page.evaluate(places)).toEqual([240, 60]);
	await page.evaluate("document.querySelector('.task-row[href$=headers]').click()");
	await page.getByText("Turn 2").first().waitFor();
	await expect.poll(() => page.evaluate("scrollY")).toBe(0);
	await page.goBack();
	await expect.poll(() => page.evaluate(places)).toEqual([240, 60]);
	await page.goForward();
	await expect.poll(() => page.title()).toContain("rate-limiter");
});

test("runs and tasks are searched, and paper shows no buttons", async () => {
	const { page, server } = await opened({}, RUN);
	await page.getByRole("searchbox").fill("waiting");
	await page.getByText("1 of 4").waitFor();
	expect(await page.locator(".task-row:not(.head)").count()).toBe(1);
	await page.goto(`${server.address}#/runs`);
	await page.getByRole("searchbox").fill("rate failed");
	await page.getByText("1 of 2").waitFor();
	await page.emulateMedia({ media: "print" });
	expect(await page.getByRole("button").count()).toBe(0);
});

test("paper has all lines of an output, also those out of view", async () => {
	const { page } = await opened({ task: FAILED, log: "a line\n".repeat(300) }, `${TASK}/output`);
	await page.getByText("300 lines").waitFor();
	expect(await page.locator(".log-row").count()).toBeLessThan(100);
	await page.emulateMedia({ media: "print" });
	await expect.poll(() => page.locator(".log-row").count()).toBe(300);
});

test("axe finds nothing in the dark either", async () => {
	const waiting = { node: null, report: WAITING };
	const answered = { ...waiting, report: { ...WAITING, human_item_answered: true } };
	const scenes = [
		[{ task: FAILED }, TASK, "text=expected 1 to equal 2"],
		[{ task: FAILED }, `${TASK}/diff?file=src/limiter.js&line=5`, ".t-keyword"],
		[{ task: waiting }, TASK, "text=Max turns (3) reached"],
		[{ task: answered }, TASK, "text=goes on when resumed"],
		[{ items: [SIGNED] }, "#/", ".t-keyword"],
	] as const;
	for (const [shown, address, seen] of scenes) {
		const { page } = await opened(shown, address, { colorScheme: "dark" });
		await page.locator(seen).first().waitFor();
		expect([address, await axe(page)]).toEqual([address, []]);
	}
});

/** Clicks from where a person stands to what they look for. */
test("what a person looks for is at most one click away", async () => {
	const clicks: Record<string, number> = {};
	const count = async (
		what: string,
		address: string,
		shown: Shown,
		steps: readonly string[],
		seen: string,
	) => {
		const { page } = await opened(shown, address);
		for (const step of steps) await page.locator(step).first().click();
		await page.locator(seen).first().waitFor();
		clicks[what] = steps.length;
	};
	const waiting = { task: { node: null, report: WAITING } };
	const inDiff = "text=constructor(rate)";
	await count("reason of a wait, in the inbox", "#/", {}, [], "text=Max turns (3) reached");
	await count("reason of a wait, on its task", TASK, waiting, [], "text=Max turns (3) reached");
	await count("diff, of a task", TASK, waiting, ["nav a:text('Diff')"], inDiff);
	await count("diff, of a question", "#/", {}, [], inDiff);
	await count("diff, of a signature", "#/", { items: [SIGNED] }, [], inDiff);
	await count(
		"failing test's words",
		RUN,
		{ task: FAILED },
		[".task-row:not(.head)"],
		"text=expected 1 to equal 2",
	);
	await count(
		"finding in place",
		`${TASK}/findings`,
		{ task: FAILED },
		["text=src/limiter.js:5"],
		".diff-row.target",
	);
	await count("answer, from the inbox", "#/", {}, [], "form[aria-label='Your answer']");
	await count(
		"answer, from its task",
		TASK,
		waiting,
		["a:text('Answer')"],
		"form[aria-label='Your answer']",
	);
	expect(clicks).toEqual({
		"reason of a wait, in the inbox": 0,
		"reason of a wait, on its task": 0,
		"diff, of a task": 1,
		"diff, of a question": 0,
		"diff, of a signature": 0,
		"failing test's words": 1,
		"finding in place": 1,
		"answer, from the inbox": 0,
		"answer, from its task": 1,
	});
});

test("an output that begins without an event is shown while the task works", async () => {
	const screens = fakeScreens({ task: { report: { status: "running" } } });
	let isThere = false;
	const server = await served({
		...screens,
		logs: async (place) => (isThere ? await screens.logs(place) : { logs: [] }),
	});
	const { page, problems } = await openPage(server.newUrl());
	await page.getByText("live", { exact: true }).waitFor();
	await page.goto(`${server.address}${TASK}/output`);
	await page.getByText("Nothing has printed yet.").waitFor();
	isThere = true;
	await page.locator(".case-row").first().waitFor();
	expect(problems).toEqual([]);
});
