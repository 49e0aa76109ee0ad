import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Environment, withoutGit } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** The built `spar ui` of a repository. */
export interface Ui {
	/** With the one-time code. */
	readonly url: string;
	close(): Promise<void>;
}

/** Starts `spar ui` and waits for its address. */
export async function startUi(directory: string, environment: Environment): Promise<Ui> {
	const child = spawn(process.execPath, [MAIN, "ui", "--no-open", "--json"], {
		cwd: directory,
		env: withoutGit(environment),
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exited = once(child, "exit");
	const [line] = (await once(child.stdout, "data")) as [Buffer];
	const { url } = JSON.parse(line.toString()) as { readonly url: string }; // The contract's one line.
	return {
		url,
		close: async () => {
			child.kill("SIGINT");
			await exited;
		},
	};
}

/** A window with a session, in which pages can be opened. */
export async function openWindow(browser: Browser, url: string): Promise<BrowserContext> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
	const page = await context.newPage();
	await page.goto(url);
	await page.getByRole("navigation", { name: "Screens" }).waitFor();
	await page.close();
	return context;
}

/** Watches the page from its start: when the timeline has how many lines, when it was painted, how long its frames take. */
const PROBE = `
window.probe = { lines: [], paint: 0, frames: [], watches: false };
new PerformanceObserver((list) => {
	for (const entry of list.getEntries()) window.probe.paint = Math.max(window.probe.paint, entry.startTime);
}).observe({ type: "largest-contentful-paint", buffered: true });
let last = 0;
const look = (now) => {
	const count = Number(document.querySelector(".timeline")?.dataset.count ?? 0);
	if (count > (window.probe.lines.at(-1)?.[0] ?? 0)) window.probe.lines.push([count, performance.now()]);
	if (window.probe.watches && last > 0) window.probe.frames.push(now - last);
	last = now;
	requestAnimationFrame(look);
};
requestAnimationFrame(look);
`;

/** Opens a page that is watched. */
export async function openWatched(context: BrowserContext, address: string): Promise<Page> {
	const page = await context.newPage();
	await page.addInitScript(PROBE);
	await page.goto(address);
	return page;
}

/** A number that the page computes. */
export async function numberOf(page: Page, expression: string): Promise<number> {
	return Number(await page.evaluate(expression));
}

/** Waits until the timeline has counted as many lines, and gives when that was, in ms since the page began. */
export function linesAt(page: Page, lines: number): Promise<number> {
	// By the debugger: the page's own policy allows no text to become a script.
	const found = `window.probe.lines.find(([count]) => count >= ${lines})`;
	return numberOf(
		page,
		`new Promise((resolve) => {
			const look = () => ${found} ? resolve(${found}[1]) : requestAnimationFrame(look);
			look();
		})`,
	);
}

/** Bytes of live objects in the page, once what is unused has been freed. */
export async function heapOf(page: Page): Promise<number> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("HeapProfiler.collectGarbage");
	const { usedSize } = await devtools.send("Runtime.getHeapUsage");
	await devtools.detach();
	return usedSize;
}
