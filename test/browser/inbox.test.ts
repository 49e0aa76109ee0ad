import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ItemDetail } from "../../src/web/protocol.ts";
import { fakeScreens } from "./fake-screens.ts";
import { openPage, served, withBrowser } from "./open-page.ts";
import { aQuestion } from "./story.ts";

withBrowser();

const two = (): ItemDetail[] => [
	aQuestion(),
	aQuestion({ id: "h2", task_id: "limiter", reason: "The second question" }),
];

/** The question that is looked at. */
const heading = (page: Page): Promise<string | null> =>
	page.getByRole("heading", { level: 1 }).textContent();

test("the whole inbox works by keyboard: move, look, choose, write, answer", async () => {
	const screens = fakeScreens({ items: two() });
	const { page, problems } = await openPage((await served(screens)).newUrl());
	await page.getByText("Your answer").waitFor();
	expect(await heading(page)).toBe("Max turns (3) reached without approval");

	await page.keyboard.press("?");
	await page.getByRole("dialog", { name: "Keys" }).waitFor();
	await page.keyboard.press("Escape");
	await page.keyboard.press("j");
	await page.getByRole("heading", { level: 1, name: "The second question" }).waitFor();
	await page.keyboard.press("k");
	await page.getByRole("heading", { level: 1, name: "Max turns" }).waitFor();
	await page.keyboard.press("ArrowDown");
	await page.getByRole("heading", { level: 1, name: "The second question" }).waitFor();

	await page.getByText("constructor(rate)").waitFor();
	await page.keyboard.press("d");
	await page.getByText("constructor(rate)").waitFor({ state: "hidden" });
	await page.keyboard.press("d");
	await page.getByText("constructor(rate)").waitFor();

	await page.keyboard.press("3");
	await page.getByRole("textbox", { name: "What the player is told" }).waitFor();
	// Keys of the inbox are letters while a text is written.
	await page.keyboard.type("just clamp it");
	await page.keyboard.press("Control+Enter");
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([["h2", { version: "v1", directive: "just clamp it" }]]);
	expect(problems).toEqual([]);
});

test("a number chooses and Enter answers where no text is needed", async () => {
	const screens = fakeScreens();
	const { page } = await openPage((await served(screens)).newUrl());
	await page.getByText("Your answer").waitFor();
	await page.keyboard.press("Enter");
	expect(screens.answered).toEqual([]);
	await page.keyboard.press("2");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([["h1", { version: "v1", take: "reviewer" }]]);
	await page.getByRole("button", { name: "Resume …" }).click();
	await page.getByText("It would resume run").waitFor();
});

test("by mouse: a reason has to be given before a rejection is sent", async () => {
	const screens = fakeScreens();
	const { page } = await openPage((await served(screens)).newUrl());
	const answer = page.getByRole("button", { name: "Answer", exact: true });
	await page.getByText("Reject", { exact: false }).first().click();
	expect(await answer.isDisabled()).toBe(true);
	await page.getByRole("textbox", { name: "Reason" }).fill("Not wanted.");
	await page.getByRole("textbox", { name: "Notes (optional)" }).fill("we drop the feature");
	await answer.click();
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([
		["h1", { version: "v1", reject: "Not wanted.", notes: "we drop the feature" }],
	]);
});

test("what was written stays with its question and its choice while another one is looked at", async () => {
	const screens = fakeScreens({ items: two() });
	const { page } = await openPage((await served(screens)).newUrl());
	const words = page.getByRole("textbox", { name: "What the player is told" });
	await page.getByText("Your answer").waitFor();
	await page.keyboard.press("3");
	await words.waitFor();
	await page.keyboard.type("just clamp it");
	await page.keyboard.press("Escape");
	await page.keyboard.press("j");
	await page.getByRole("heading", { level: 1, name: "The second question" }).waitFor();
	await page.keyboard.press("3");
	expect(await words.inputValue()).toBe("");
	await page.keyboard.press("Escape");
	await page.keyboard.press("k");
	await page.getByRole("heading", { level: 1, name: "Max turns" }).waitFor();
	await page.keyboard.press("4");
	expect(await page.getByRole("textbox", { name: "Reason" }).inputValue()).toBe("");
	await page.keyboard.press("Escape");
	await page.keyboard.press("3");
	expect(await words.inputValue()).toBe("just clamp it");
});

test("an answer to a state that is gone is refused, and the new state shown", async () => {
	const screens = fakeScreens();
	const { page } = await openPage((await served(screens)).newUrl());
	await page.getByText("Your answer").waitFor();
	// No event tells of it: the page learns it from the refusal.
	screens.change(aQuestion({ version: "v2", reason: "Now the work is another one" }));
	await page.keyboard.press("3");
	await page.getByRole("textbox", { name: "What the player is told" }).fill("clamp it");
	await page.keyboard.press("Control+Enter");
	await page.getByText("has changed since you opened it").waitFor();
	await page.getByRole("heading", { level: 1, name: "Now the work is another one" }).waitFor();
	expect(screens.answered).toEqual([]);
	// What was written is still there; that it is meant for the new state has to be said again.
	await page.keyboard.press("Escape");
	await page.keyboard.press("Enter");
	expect(screens.answered).toEqual([]);
	await page.keyboard.press("3");
	await page.getByRole("textbox", { name: "What the player is told" }).waitFor();
	await page.keyboard.press("Control+Enter");
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([["h1", { version: "v2", directive: "clamp it" }]]);
});

test("several conflicts of one question are answered by finding", async () => {
	const [side] = aQuestion().offers;
	const offer = (finding: string | null, choice: ItemDetail["offers"][number]["choice"]) => ({
		limit: null,
		effect: "",
		command: "",
		...side,
		finding,
		choice,
	});
	const offers = [
		offer("F1", "take_developer"),
		offer("F1", "take_reviewer"),
		offer("F2", "take_developer"),
		offer("F2", "take_reviewer"),
	];
	const screens = fakeScreens({ items: [aQuestion({ offers })] });
	const { page } = await openPage((await served(screens)).newUrl());
	await page.getByRole("group", { name: "F2" }).getByText("Take the coach’s side").click();
	await page.getByRole("button", { name: "Answer", exact: true }).click();
	await page.getByRole("heading", { name: "Answered" }).waitFor();
	expect(screens.answered).toEqual([["h1", { version: "v1", take: "reviewer", finding: ["F2"] }]]);
});

/** A question of another kind, with what belongs to it. */
const asked = (trigger: ItemDetail["trigger"], more: object): ItemDetail => {
	const question = aQuestion();
	// Each test gives what the context of the trigger has.
	return { ...question, trigger, context: { ...question.context, ...more } } as ItemDetail;
};

test("a question shows what belongs to its kind", async () => {
	const conflict = {
		conflict_id: "c1",
		finding: "F1",
		attempt: 3,
		escalation_reason: "the third attempt is a person's",
		developer: { reason: "It cannot overflow.", evidence: "test 'edge'" },
		reviewer: { issue: "It overflows.", rationale: "I ran it." },
		tie_breaker: { decision: "FAIL", rationale: "The test is empty." },
	};
	const verification = {
		verdict: "failed",
		reasons: ["one of three fails"],
		tests: [],
		failing: [{ test: "refills", message: "expected 1 to equal 2" }],
		run: "node --test",
		output_path: null,
		files: [{ path: "test/own.test.js", text: "test('refills')" }],
	};
	const budget = {
		scope: "run",
		usd: { limit: 5, spent: 5.2 },
		wall: null,
		calls: 40,
		unknown_cost_calls: 2,
	};
	const kinds = [
		[
			asked("conflict", { conflicts: [conflict], critical: [] }),
			["It cannot overflow.", "I ran it.", "The test is empty."],
		],
		[asked("verification", { verification }), ["one of three fails", "expected 1 to equal 2"]],
		[asked("budget", { budget }), ["Budget of the run", "$5.20 of $5.00"]],
		[asked("sign_off", {}), ["sign-off"]],
	] as const;
	for (const [item, texts] of kinds) {
		const { page, problems } = await openPage(
			(await served(fakeScreens({ items: [item] }))).newUrl(),
		);
		for (const text of texts)
			await page.getByText(text).filter({ visible: true }).first().waitFor();
		const { violations } = await new AxeBuilder({ page }).analyze();
		expect([item.trigger, violations.map(({ id }) => id), problems]).toEqual([
			item.trigger,
			[],
			[],
		]);
	}
});

test("the element of a question carries its id, and goes when it is answered elsewhere", async () => {
	const screens = fakeScreens({ items: two() });
	const { page } = await openPage((await served(screens)).newUrl());
	await page.locator("#h2").waitFor();
	await screens.answer("h2", { version: "v1", take: "reviewer" });
	screens.happen({
		id: 1,
		run: "r",
		task: "limiter",
		turn: 1,
		node: null,
		timestamp: "",
		type: "item-answered",
		data: { item: "h2", status: "RESOLVED", choice: "take_reviewer" },
	});
	await page.locator("#h2").waitFor({ state: "detached" });
	expect(await page.title()).toBe("(1) Inbox · Sparring");
});

test("a question is shown to whoever returns to the inbox while it chooses one", async () => {
	const server = await served(fakeScreens());
	const { page } = await openPage(server.newUrl());
	// A choice of the inbox on its way would replace the address that the browser is sent to.
	await page.getByText("Your answer").waitFor();
	// Comes before the page's own listener, which then finds the address of before.
	await page.addInitScript(`addEventListener("hashchange", function back() {
		if (!location.hash.startsWith("#/items/")) return;
		removeEventListener("hashchange", back);
		location.replace("#/");
	})`);
	await page.goto(`${server.address}#/runs`);
	await page.reload();
	await page.getByRole("heading", { name: "Runs" }).waitFor();
	await page.goto(`${server.address}#/`);
	await page.getByText("Your answer").waitFor();
});

test("a page that is hidden has no stream, and one that is seen again misses nothing", async () => {
	const screens = fakeScreens();
	const server = await served(screens);
	const { page } = await openPage(server.newUrl());
	await page.getByText("live", { exact: true }).waitFor();
	const see = (state: string): Promise<unknown> =>
		page.evaluate(
			`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
		);
	await see("hidden");
	await page.getByText("paused", { exact: true }).waitFor();
	screens.change(aQuestion({ id: "h9", task_id: "late", reason: "Asked while nobody looked" }));
	screens.happen({
		id: 5,
		run: "r",
		task: "late",
		turn: 1,
		node: null,
		timestamp: "",
		type: "item-opened",
		data: { item: "h9", trigger: "loop_exhausted", reason: "" },
	});
	await see("visible");
	await page.locator("#h9").waitFor();
});
