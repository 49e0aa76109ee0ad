import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: gatedTasks(["t1"]), machines: ["one", "two"] });
});
afterEach(() => site.remove());

test("pushes that the remote refuses for a while are tried again where the work is, and no agent is paid twice", async () => {
	const run = site.begin();
	const closed = join(site.scratch, "closed");
	const hook = join(site.remote, "hooks", "pre-receive");
	writeFileSync(
		hook,
		`#!/bin/sh\n[ -e '${closed}' ] || exit 0\n: > '${closed}-met'\necho 'closed for maintenance' >&2\nexit 1\n`,
	);
	chmodSync(hook, 0o755);
	writeFileSync(closed, "");
	const workers = [await site.worker("one", 1), await site.worker("two", 1)];
	const said = (): string => workers.map((worker) => worker.said()).join("\n");
	await waitUntil("a push is refused", () => existsSync(`${closed}-met`));
	await waitUntil("it is waited for", () => said().includes("it is tried again"));
	rmSync(closed);
	expect(await site.start("office", ["watch", run]).ended, said()).toBe(0);
	expect(said()).toContain("closed for maintenance");
	expect(said()).not.toContain("given back");
	expect(readFileSync(join(site.scratch, "calls"), "utf8")).toBe("t1\n");
	const rows = await site.rows("SELECT status, merged FROM tasks WHERE run_id = $1", run);
	expect(rows).toEqual([{ status: "completed", merged: 1 }]);
});
