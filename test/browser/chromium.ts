import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Debian's browser; `scripts/test-browser.ts` installs it where it is missing. */
export const CHROMIUM = "/usr/bin/chromium";

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
