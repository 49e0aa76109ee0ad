import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { armRemote } from "./support/armed-remote.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one", "two"] });
});
afterEach(() => site.remove());

test("work that was pushed by a machine that died before it could say so is taken by the next one", async () => {
	const remote = armRemote(site);
	remote.arm("after-turn");
	const run = site.begin();
	const one = await site.worker("one", 1);
	await remote.reached("after-turn");
	await one.end("SIGKILL");
	remote.release("after-turn", "goes-on");
	const two = await site.worker("two", 1);
	expect(await site.start("office", ["watch", run]).ended, two.said()).toBe(0);
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
	expect(await site.rows("SELECT 1 FROM events WHERE type = 'work-lost'")).toEqual([]);
	const rows = await site.rows("SELECT status, merged FROM tasks WHERE run_id = $1", run);
	expect(rows).toEqual([{ status: "completed", merged: 1 }]);
});
