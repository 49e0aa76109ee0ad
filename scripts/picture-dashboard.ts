// Draws the picture of the dashboard for README and guide: `npm run picture`, after `npm run build`.
import { serve } from "../src/web/serve.ts";
import { PAGE_DIRECTORY, startBrowser } from "../test/browser/chromium.ts";
import { fakeScreens } from "../test/browser/fake-screens.ts";
import { at } from "../test/browser/story.ts";

const server = await serve(fakeScreens(), {
	port: 0,
	pageDirectory: PAGE_DIRECTORY,
	onBug: () => undefined,
});
const browser = await startBrowser();
const page = await browser.newPage({
	viewport: { width: 1240, height: 600 },
	colorScheme: "light",
	deviceScaleFactor: 1.25,
});
// The same picture on every day.
await page.clock.setFixedTime(at(14));
await page.goto(server.newUrl());
await page.getByText("Take the coach’s side").click();
await page.getByText("live", { exact: true }).waitFor();
await page.screenshot({ path: "docs/dashboard.png" });
await browser.close();
await server.close();
