import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { startBrowser } from "../test/browser/chromium.ts";
import { openWindow, startUi } from "./dashboard-page.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { commitAll, type Environment, inScratch, withoutGit, writeFiles } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Runs with and without a page, in turn. */
const PAIRS = 5;

/** Agents that take a second each. */
const PLAYER = `sleep 1; echo done > work.txt; echo '{}' > "$SPAR_REPORT"`;
const COACH = `sleep 1
echo '{"decision":"approve","rationale":"ok","requirements_status":[{"criterion":"done","met":true,"evidence":"seen"}]}' > "$SPAR_REPORT"`;

const WORKFLOW = JSON.stringify({
	version: 1,
	name: "watched",
	human: { enabled: false },
	agents: {
		dev: { adapter: "command", run: ["sh", "-c", PLAYER] },
		coach: { adapter: "command", run: ["sh", "-c", COACH] },
	},
	checks: { tests: { kind: "acceptance", run: "true", report: { format: "exit" } } },
	tasks: {
		one: {
			agent: "dev",
			description: "Work.",
			acceptance_criteria: ["done"],
			overlays: {
				paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
			},
		},
	},
});

/** How long a run takes, in ms. */
function timeOf(environment: Environment, browser: Browser | null): Promise<number> {
	return inScratch(async (scratch) => {
		const project = join(scratch, "project");
		writeFiles(project, { "sparring.yaml": WORKFLOW, "readme.md": "# Watched\n" });
		commitAll(project, environment);
		const env = { ...withoutGit(environment), SPAR_CHECKOUTS: join(scratch, "checkouts") };
		const ui = browser === null ? null : await startUi(project, env);
		const context = browser === null || ui === null ? null : await openWindow(browser, ui.url);
		const page = await context?.newPage();
		if (ui !== null) await page?.goto(`${new URL(ui.url).origin}/#/runs`);
		const start = performance.now();
		const child = spawn(process.execPath, [MAIN, "run"], { cwd: project, env, stdio: "ignore" });
		const exited = once(child, "exit");
		// The page of the task: what is the most to follow.
		await page?.locator(".run-row:not(.head)").click();
		await page?.locator(".task-row:not(.head)").click();
		const [code] = (await exited) as [number | null];
		const wall = performance.now() - start;
		await context?.close();
		await ui?.close();
		if (code !== 0) throw new Error(`the watched run ended with ${code}`);
		return wall;
	});
}

/** A run of one task, watched in a page and not, in turn. */
export async function measureWatchedRun(environment: Environment): Promise<Measurement> {
	const browser = await startBrowser();
	try {
		return await watchedAgainstAlone(browser, environment);
	} finally {
		await browser.close();
	}
}

async function watchedAgainstAlone(
	browser: Browser,
	environment: Environment,
): Promise<Measurement> {
	const watched: number[] = [];
	const alone: number[] = [];
	for (let pair = 0; pair < PAIRS; pair += 1) {
		alone.push(await timeOf(environment, null));
		watched.push(await timeOf(environment, browser));
	}
	const spread = (Math.max(...alone) / Math.min(...alone)).toFixed(2);
	return {
		name: `a run that is watched in a page (runs without one differ by ${spread} times)`,
		value: median(watched),
		floor: median(alone),
		unit: "ms",
		target: 1.02,
	};
}
