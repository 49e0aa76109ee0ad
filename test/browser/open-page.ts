import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Screens } from "../../src/web/screens.ts";
import { type Served, serve } from "../../src/web/serve.ts";
import { PAGE_DIRECTORY, startBrowser } from "./chromium.ts";

/** A page of the dashboard with what went wrong in it. */
export interface Opened {
	readonly page: Page;
	/** Errors and refusals of the content policy that the browser told. */
	readonly problems: readonly string[];
}

let browser: Browser;
const closers: (() => Promise<void>)[] = [];

/** Sets up a browser for the tests of a file, and closes what they open. */
export function withBrowser(): void {
	beforeAll(async () => {
		browser = await startBrowser();
	});
	afterEach(async () => {
		for (const close of closers.splice(0).reverse()) await close();
	});
	afterAll(async () => {
		await browser.close();
	});
}

/** Serves screens to the test at hand. */
export async function served(screens: Screens, port = 0): Promise<Served> {
	const server = await serve(screens, {
		port,
		pageDirectory: PAGE_DIRECTORY,
		onBug: (error) => {
			throw error;
		},
	});
	closers.push(() => server.close());
	return server;
}

/** Opens an address that the server gave, in a window of its own. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
	closers.push(() => context.close());
	const page = await context.newPage();
	// For what never comes, not for a busy machine.
	page.setDefaultTimeout(120_000);
	const problems: string[] = [];
	page.on("console", (message) => {
		if (message.type() === "error") problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(error.message));
	await page.goto(url);
	return { page, problems };
}
