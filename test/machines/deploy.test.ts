import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { privateRemote } from "../support/private-remote.ts";
import { PROGRAM } from "../support/program.ts";
import { waitUntil } from "../support/wait-until.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

const TOKEN = "of-the-repository";
const ROOT = join(import.meta.dirname, "../..");

let site: Site;
afterEach(() => site.remove());

/** A container of the compose file: a folder of its own, the environment of the image, and `spar` on its PATH. */
function container(name: string, repository: string) {
	const [home, bin] = [join(site.scratch, `work-${name}`), join(site.scratch, "bin")];
	mkdirSync(home, { recursive: true });
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, "spar"), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
	chmodSync(join(bin, "spar"), 0o755);
	const env = {
		PATH: `${bin}:${process.env["PATH"]}`,
		HOME: home,
		TMPDIR: process.env["TMPDIR"],
		SITE: site.scratch,
		SPAR_STORE: site.store,
		SPAR_REPOSITORY: repository,
		SPAR_GIT_TOKEN: TOKEN,
		SPAR_HEALTH: "0",
	};
	return { cwd: home, env };
}

const line = z.object({
	time: z.iso.datetime(),
	level: z.enum(["info", "warning"]),
	worker: z.string().nullable(),
	message: z.string().optional(),
	what: z.string().optional(),
});

test("what a container starts takes an empty database, a private repository and two workers to the end of a first detached run", async () => {
	site = await Site.make({ files: gatedTasks(["t1", "t2"]), machines: [], migrates: false });
	const { address, close } = await privateRemote(site.remote, TOKEN);
	const script = join(ROOT, "deploy/worker.sh");
	const workers = ["1", "2"].map((name) => {
		const child = spawn("sh", [script], {
			...container(name, address),
			stdio: ["ignore", "pipe", "pipe"],
		});
		const said: string[] = [];
		child.stdout.setEncoding("utf8").on("data", (text: string) => said.push(text));
		child.stderr.resume();
		return { child, said: () => said.join(""), ended: once(child, "exit") };
	});
	try {
		for (const { said } of workers)
			await waitUntil("a worker is ready", () => said().includes("takes 2 at once"));
		const run = site.begin();
		expect(await site.start("office", ["watch", run]).ended).toBe(0);
		const told = workers.map(({ said }) =>
			said()
				.trim()
				.split("\n")
				.map((text) => line.parse(JSON.parse(text))),
		);
		expect(told.flat().filter(({ what }) => what === "done")).toHaveLength(2);
		const [, url = ""] = /health: (http:\S+)\/live/.exec(workers[0]?.said() ?? "") ?? [];
		const statuses = await Promise.all(
			["/live", "/ready", "/metrics"].map(async (path) => (await fetch(`${url}${path}`)).status),
		);
		expect(statuses).toEqual([200, 200, 200]);
		const metrics = await (await fetch(`${url}/metrics`)).text();
		expect(metrics).toContain("sparring_tasks_waiting 0\n");
		expect(metrics).toContain("sparring_worker_slots 2\n");
		expect(readdirSync(join(site.scratch, "work-1")).sort()).toEqual([".netrc", "clone", "state"]);
	} finally {
		for (const { child } of workers) child.kill("SIGTERM");
		expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([
			[0, null],
			[0, null],
		]);
		await close();
	}
});
