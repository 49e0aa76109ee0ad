import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Screens } from "../../src/web/screens.ts";
import { type Served, serve } from "../../src/web/serve.ts";
import { CHROMIUM } from "./chromium.ts";

/** Where the package build puts the page. */
export const PAGE_DIRECTORY = join(import.meta.dirname, "..", "..", "dist", "dashboard");

/** Starts the browser, without a window. */
export function startBrowser(): Promise<Browser> {
	if (!existsSync(join(PAGE_DIRECTORY, "index.html"))) {
		throw new Error("dist/dashboard is missing: run npm run build first");
	}
	// The page is our own, and root has no sandbox of its own for a browser.
	return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

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
export async function served(screens: Screens): Promise<Served> {
	const server = await serve(screens, {
		port: 0,
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
	const problems: string[] = [];
	page.on("console", (message) => {
		if (message.type() === "error") problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(error.message));
	await page.goto(url);
	return { page, problems };
}
