import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, test } from "vitest";
import { type FakeScreens, fakeScreens, someEvents } from "./fake-screens.ts";
import { openPage, served, withBrowser } from "./open-page.ts";
import { aRun } from "./story.ts";

withBrowser();

const RUN = `#/runs/${aRun().run_id}`;
const TASK = `${RUN}/tasks/limiter`;

/** Each screen by its address, with a text that is there once it is drawn. */
const SCREENS: readonly (readonly [name: string, address: string, text: string])[] = [
	["inbox", "#/", "Your answer"],
	["runs", "#/runs", "rate-limiter"],
	["run", RUN, "player dev failed"],
	["task", TASK, "Turn 2"],
	["findings", `${TASK}/findings`, "A rate below one a second"],
	["diff", `${TASK}/diff`, "constructor(rate)"],
	["output", `${TASK}/output`, "PASS 12 tests"],
	["timeline", `${TASK}/timeline`, "player dev failed"],
	["plan", "#/plan", "tests are written"],
	["calibration", "#/calibration", "llm judge"],
];

function story(): FakeScreens {
	const screens = fakeScreens();
	screens.happen(...someEvents(60));
	return screens;
}

const WINDOWS = [
	{ name: "light", options: { colorScheme: "light" } },
	{ name: "dark", options: { colorScheme: "dark" } },
	{ name: "narrow", options: { viewport: { width: 400, height: 800 } } },
] as const;

describe.each(WINDOWS)("in a $name window", ({ options }) => {
	test("every screen is drawn, nothing is wider than the window, and axe finds nothing", async () => {
		const server = await served(story());
		const { page, problems } = await openPage(server.newUrl(), options);
		await page.getByRole("navigation", { name: "Screens" }).waitFor();
		for (const [name, address, text] of SCREENS) {
			await page.goto(server.address + address);
			await page.getByText(text, { exact: false }).first().waitFor();
			// Words of code have colours of their own, which come later.
			if (name === "diff") await page.locator(".t-keyword").first().waitFor();
			const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
			expect([name, wider]).toEqual([name, 0]);
			const { violations } = await new AxeBuilder({ page }).analyze();
			expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []]);
		}
		expect(problems).toEqual([]);
	});
});

test("axe looks: a picture without a text is found", async () => {
	const server = await served(story());
	const { page } = await openPage(server.newUrl());
	await page.getByText("Your answer").waitFor();
	await page.evaluate("document.body.append(document.createElement('img'))");
	const { violations } = await new AxeBuilder({ page }).analyze();
	expect(violations.map(({ id }) => id)).toContain("image-alt");
});

test("nothing moves for those who ask for it", async () => {
	const moving = "document.getAnimations().length";
	const server = await served(story());
	const still = await openPage(server.newUrl(), { reducedMotion: "reduce" });
	await still.page.goto(server.address + TASK);
	await still.page.getByText("State graph").click();
	await still.page.locator(".state.here").waitFor();
	expect(await still.page.evaluate(moving)).toBe(0);
	const other = await openPage(server.newUrl(), { reducedMotion: "no-preference" });
	await other.page.goto(server.address + TASK);
	await other.page.getByText("State graph").click();
	await other.page.locator(".state.here").waitFor();
	expect(await other.page.evaluate(moving)).toBe(1);
});

test("the code leaves the address at once, and works no second time", async () => {
	const server = await served(story());
	const url = server.newUrl();
	const { page } = await openPage(url);
	await page.getByText("Your answer").waitFor();
	expect(page.url()).not.toContain("code");
	const other = await openPage(url);
	await other.page.getByText("no session with the server").waitFor();
});

test("a page whose server was started again says that its session has ended, and how to go on", async () => {
	const server = await served(story());
	const { page } = await openPage(server.newUrl());
	await page.getByText("live", { exact: true }).waitFor();
	await server.close();
	await served(story(), Number(new URL(server.address).port));
	await page.getByText("no session with the server").waitFor();
});

test("the live node, folded nodes and retries of a turn stand in the task", async () => {
	const screens = fakeScreens({ task: { node: "coach_turn" } });
	screens.happen(...someEvents(20));
	const server = await served(screens);
	const { page } = await openPage(server.newUrl());
	await page.goto(server.address + TASK);
	await page.getByText("attempt 2 of 4, the last one: rate limit: 429: slow down").waitFor();
	expect(await page.locator(".state.here").getAttribute("data-node")).toBe("coach_turn");
	expect(await page.locator(".state.taken").first().getAttribute("data-node")).toBe("player_turn");
	await page.getByText("1 passed through").first().click();
	await page.getByText("independent verification is not required").first().waitFor();
});

test("what happens is on the page without a reload", async () => {
	const screens = story();
	const server = await served(screens);
	const { page } = await openPage(server.newUrl());
	await page.goto(server.address + RUN);
	await page.getByText("player dev failed").first().waitFor();
	screens.happen({
		id: 61,
		run: aRun().run_id,
		task: "limiter",
		turn: 2,
		node: "merge",
		timestamp: new Date().toISOString(),
		type: "task-merged",
		data: { commit: "abcdef1234567", into: "main", onto: "0", turn_commit: "0" },
	});
	await page.getByText("merged into main (abcdef1234)").waitFor();
});

test("an action says what it would do, and is done only then", async () => {
	const screens = story();
	const server = await served(screens);
	const { page } = await openPage(server.newUrl());
	await page.goto(server.address + RUN);
	await page.getByRole("button", { name: "Cancel the run …" }).click();
	await page.getByText(`It would cancel run ${aRun().run_id}.`).waitFor();
	expect(screens.acted).toEqual([]);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Cancel the run …" }).click();
	await page.getByRole("button", { name: "Cancel the run", exact: true }).click();
	await expect.poll(() => screens.acted).toEqual([`cancel ${aRun().run_id}`]);
});

test("one, several and all tasks of the plan are toggled, and an edited file is shown anew", async () => {
	const screens = fakeScreens();
	const server = await served(screens);
	const { page } = await openPage(server.newUrl());
	await page.goto(`${server.address}#/plan`);
	const docs = page.getByRole("switch", { name: "Independent tests for docs" });
	const limiter = page.getByRole("switch", { name: "Independent tests for limiter" });
	await docs.click();
	await page.getByText("Saved in the file.").waitFor();
	expect(await docs.isChecked()).toBe(true);
	await page.getByRole("checkbox", { name: "Select docs" }).check();
	await page.getByRole("button", { name: "No tests" }).click();
	await expect.poll(() => docs.isChecked()).toBe(false);
	expect(await limiter.isChecked()).toBe(true);
	await page.getByRole("checkbox", { name: "Select docs" }).uncheck();
	await page.getByRole("button", { name: "No tests" }).click();
	await expect.poll(() => limiter.isChecked()).toBe(false);

	const { tasks } = await screens.plan(null);
	screens.editFile({
		file: "sparring.yaml",
		digest: "other",
		checks: [],
		warnings: ["edited by hand"],
		tasks,
	});
	await docs.click();
	await page.getByText("sparring.yaml changed since it was shown").waitFor();
	expect(await docs.isChecked()).toBe(false);
});
