import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { serve } from "../src/web/serve.ts";
import { PAGE_DIRECTORY, startBrowser } from "../test/browser/chromium.ts";
import { fakeScreens } from "../test/browser/fake-screens.ts";
import { aRun } from "../test/browser/story.ts";
import { heapOf, linesAt, numberOf, openWatched, openWindow, startUi } from "./dashboard-page.ts";
import { type LargeRun, largeRun } from "./dashboard-store.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { type Environment, inScratch } from "./scratch.ts";

const EVENTS = 10_000;
const ROUNDS = 5;

/** What a page may take, in ms. */
const MOST_PAINT = 500;
const MOST_ALL_EVENTS = 800;
const MOST_FRAME = 20;
const MOST_DIFF = 200;

/** Lines of the large diff. */
const DIFF_LINES = 100_000;

/** Events a second, and for how many seconds. */
const RATE = 100;
const SECONDS = 6;

/** A limit that is a number of its own: the value beside it, at most once. */
const limited = (name: string, value: number, floor: number): Measurement => ({
	name,
	value,
	floor,
	unit: "ms",
	target: 1,
});

/** Opens the run's page anew a few times: until its largest part is painted, and until all events are in it. */
async function measureOpening(context: BrowserContext, address: string): Promise<Measurement[]> {
	const paints: number[] = [];
	const loads: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const page = await openWatched(context, address);
		loads.push(await linesAt(page, EVENTS));
		paints.push(await numberOf(page, "window.probe.paint"));
		await page.close();
	}
	return [
		limited("page of a run of 200 tasks: largest paint", median(paints), MOST_PAINT),
		limited("page of a run: 10,000 events in it", median(loads), MOST_ALL_EVENTS),
	];
}

/** While events arrive: how long the frames take that 95 % stay within. */
async function measureFrames(
	context: BrowserContext,
	address: string,
	run: LargeRun,
): Promise<Measurement> {
	const page = await openWatched(context, address);
	await linesAt(page, EVENTS);
	await page.getByText("live", { exact: true }).waitFor();
	await page.evaluate("window.probe.watches = true");
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	let left = SECONDS * 10;
	const timer = setInterval(() => {
		run.add(RATE / 10).catch(reject);
		left -= 1;
		if (left === 0) resolve();
	}, 100);
	await promise.finally(() => clearInterval(timer));
	await linesAt(page, EVENTS + RATE * SECONDS);
	const slow = await numberOf(
		page,
		"window.probe.frames.toSorted((a, b) => a - b)[Math.floor(window.probe.frames.length * 0.95)]",
	);
	await page.close();
	return limited("frames within which 95 % stay, at 100 events a second", slow, MOST_FRAME);
}

/** The memory of a page that saw 100,000 events against one that saw half of them. */
async function measureMemory(
	context: BrowserContext,
	address: string,
	run: LargeRun,
): Promise<Measurement> {
	const page = await openWatched(context, address);
	await linesAt(page, EVENTS + RATE * SECONDS);
	let seen = EVENTS + RATE * SECONDS;
	const seeUpTo = async (events: number): Promise<number> => {
		for (; seen < events; seen += 500) {
			await run.add(500);
			await linesAt(page, seen + 500);
		}
		return await heapOf(page);
	};
	const half = await seeUpTo(50_000);
	const whole = await seeUpTo(100_000);
	await page.close();
	return {
		name: "memory of a page after 100,000 events, against 50,000",
		value: whole,
		floor: half,
		unit: "bytes",
		target: 1.1,
	};
}

/** From the click to the first drawn line of a diff. */
async function measureDiff(browser: Browser): Promise<Measurement> {
	const lines = Array.from({ length: DIFF_LINES }, (_, nth) => `+const line${nth} = ${nth};`);
	const head = `diff --git a/a.js b/a.js\n--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,${DIFF_LINES} @@\n`;
	const server = await serve(fakeScreens({ diff: `${head}${lines.join("\n")}\n` }), {
		port: 0,
		pageDirectory: PAGE_DIRECTORY,
		onBug: () => undefined,
	});
	const context = await openWindow(browser, server.newUrl());
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const page = await openWatched(
			context,
			`${server.address}#/runs/${aRun().run_id}/tasks/limiter`,
		);
		await page.getByRole("link", { name: "Diff" }).waitFor();
		times.push(
			await numberOf(
				page,
				`new Promise((resolve) => {
					const began = performance.now();
					[...document.querySelectorAll("a")].find((link) => link.textContent === "Diff").click();
					const look = () => document.querySelector(".diff-row.added")
						? requestAnimationFrame(() => resolve(performance.now() - began))
						: requestAnimationFrame(look);
					look();
				})`,
			),
		);
		await page.close();
	}
	await context.close();
	await server.close();
	return limited("a diff of 100,000 lines is shown", median(times), MOST_DIFF);
}

/**
 * The page of `spar ui`, built, in a browser, on a database with a run of 200 tasks: how soon it is there, how smoothly it
 * follows, and what it keeps.
 */
export async function measureDashboard(environment: Environment): Promise<Measurement[]> {
	return await inScratch(async (scratch) => {
		const run = await largeRun(join(scratch, "large"), environment);
		await run.add(EVENTS);
		const browser = await startBrowser();
		const ui = await startUi(run.directory, environment);
		try {
			const context = await openWindow(browser, ui.url);
			const address = `${new URL(ui.url).origin}/#/runs/${run.runId}`;
			return [
				...(await measureOpening(context, address)),
				await measureFrames(context, address, run),
				await measureMemory(context, address, run),
				await measureDiff(browser),
			];
		} finally {
			await ui.close();
			await browser.close();
			await run.close();
		}
	});
}
