import { expect, test } from "vitest";
import type { Screens } from "../../src/web/screens.ts";
import { fakeScreens, someEvents } from "./fake-screens.ts";
import { openPage, served, withBrowser } from "./open-page.ts";
import { aQuestion, aRun } from "./story.ts";

withBrowser();

/** What would run, load or change the page if a text of an agent were taken for markup. */
const CORPUS = [
	"<script>window.owned = 1</script>",
	"<img src=x onerror='window.owned = 1'>",
	"<svg/onload=window.owned=1>",
	'"><iframe src="javascript:parent.owned=1"></iframe>',
	'<a href="javascript:window.owned=1">click</a>',
	"<style>body{display:none}</style>",
	"</textarea><math><mi xlink:href='data:x,1'>",
	"{{constructor.constructor('window.owned=1')()}}",
	"<base href=//example.invalid/><meta http-equiv=refresh content=0>",
];

/** Keys whose values are Sparring's own words, ids or times, which no agent writes. */
const OURS =
	/^(id|.*_id|version|digest|status|state|phase|trigger|choice|choices|.*_at|at|timestamp|severity|verdict|effective|raw|decision|node|route|role|outcome|kind|purpose|by|tree|commit|.*_commit|branch|path|log|source|depends_on|human_item|risk_tier|requires_verification|type|cursor|run|task|change|limit|mode|event|scope|checkout)$/;

/** Any value with the text before each string of it that could be an agent's. */
function spoiled(value: unknown, text: string, key = ""): unknown {
	if (typeof value === "string") return OURS.test(key) ? value : `${text}${value}`;
	if (Array.isArray(value)) return value.map((one: unknown) => spoiled(one, text, key));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]: [string, unknown]) => [name, spoiled(one, text, name)]),
	);
}

/** The story with the text in every field. */
function withText(text: string): Screens {
	const screens = fakeScreens({
		items: [aQuestion()],
		diff: `${text}\n+${text}\n`,
		log: `${text}\n`,
	});
	screens.happen(
		// The events keep their form: only their words change.
		...someEvents(20).map((event) => spoiled(event, text) as typeof event),
	);
	// Every reply keeps its form: only its words change.
	const spoil = <Value>(value: Value): Value => spoiled(value, text) as Value;
	return {
		...screens,
		session: () => spoil(screens.session()),
		inbox: async () => spoil(await screens.inbox()),
		item: async (id) => spoil(await screens.item(id)),
		runs: async (query) => spoil(await screens.runs(query)),
		run: async (id) => spoil(await screens.run(id)),
		task: async (place) => spoil(await screens.task(place)),
		logs: async (place) => spoil(await screens.logs(place)),
		plan: async (file) => spoil(await screens.plan(file)),
		verb: async (method, given) => spoil(await screens.verb(method, given)),
		actions: async (id) => spoil(await screens.actions(id)),
	};
}

const TASK = `#/runs/${aRun().run_id}/tasks/limiter`;
const ADDRESSES = [
	"#/",
	"#/runs",
	`#/runs/${aRun().run_id}`,
	TASK,
	`${TASK}/findings`,
	`${TASK}/diff`,
	`${TASK}/output`,
	`${TASK}/timeline`,
	"#/plan",
	"#/calibration",
];

test("markup in any field that an agent can write is text on every screen", async () => {
	const text = CORPUS.join(" ");
	const server = await served(withText(text));
	const { page, problems } = await openPage(server.newUrl());
	for (const address of ADDRESSES) {
		await page.goto(server.address + address);
		// As text the corpus is in the page; the beginning of a cut line is enough.
		await page
			.locator("main")
			.getByText("<script>window.owned = 1</script>")
			.first()
			.waitFor({ state: "attached" });
		const found = await page.evaluate(
			"[window.owned, document.querySelectorAll('main :is(script, img, iframe, style, math, base, meta, object, embed)').length, document.querySelectorAll('a[href^=\"javascript\" i]').length]",
		);
		expect([address, found]).toEqual([address, [undefined, 0, 0]]);
	}
	expect(problems).toEqual([]);
});

test("the policy of the page refuses what would make markup of a text", async () => {
	const server = await served(fakeScreens());
	const { page } = await openPage(server.newUrl());
	await page.getByText("Your answer").waitFor();
	const outcome = await page.evaluate(
		"(() => { try { document.body.innerHTML = '<b>x</b>'; return 'done'; } catch (error) { return error.name; } })()",
	);
	expect(outcome).toBe("TypeError");
});
