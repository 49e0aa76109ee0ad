import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { placesOf } from "../../src/places/places.ts";
import { claimStore } from "../../src/places/postgres-store.ts";
import { connectPostgres } from "../../src/store/postgres/postgres.ts";
import { storedRoots } from "../../src/store/postgres/roots.ts";
import { PROGRAM } from "../support/program.ts";
import { git, Site } from "./support/site.ts";

const WORKFLOW = `version: 1
name: w
agents:
  dev: { adapter: command, run: [sh, player.sh], tags: [never] }
tasks:
  one: { agent: dev, description: write a file, acceptance_criteria: [it is there] }
`;

let site: Site;

/** A second repository, with a remote of its own, whose machine has the address of the same store. */
function makeStranger(): void {
	git(site.scratch, "init", "-q", "--bare", "-b", "main", "other.git");
	git(site.scratch, "clone", "-q", "other.git", "stranger");
	const stranger = site.at("stranger");
	for (const [name, text] of Object.entries({ "sparring.yaml": WORKFLOW, other: "other\n" }))
		writeFileSync(join(stranger, name), text);
	git(stranger, "checkout", "-q", "-b", "main");
	git(stranger, "add", "-A");
	git(stranger, "-c", "user.name=S", "-c", "user.email=s@example.com", "commit", "-q", "-m", "s");
	git(stranger, "push", "-q", "origin", "main");
	mkdirSync(join(site.scratch, "home-stranger"));
}

function inStranger(args: readonly string[], store: string = site.store) {
	const env = { ...site.env("stranger"), SPAR_STORE: store };
	const options = { cwd: site.at("stranger"), env, encoding: "utf8" } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
	return { status, said: `${stdout}${stderr}` };
}

beforeEach(async () => {
	site = await Site.make({ files: { "sparring.yaml": WORKFLOW }, machines: [] });
	makeStranger();
});
afterEach(() => site.remove());

test("a store that has the runs of one repository is refused to another one", async () => {
	expect(inStranger(["runs", "--json"]).status).toBe(0);
	const run = site.begin();
	for (const args of [["status"], ["cancel", run], ["worker"], ["run", "--detach", "--anyway"]]) {
		const { status, said } = inStranger(args);
		expect(said).toContain("has the runs of another repository");
		expect(said).toContain("?schema=NAME");
		expect(status).toBe(2);
	}
	expect(JSON.parse(site.spar("office", "status", "--json"))).toMatchObject({
		run_id: run,
		shared: true,
	});
	expect(git(join(site.scratch, "other.git"), "branch", "--list", "sparring/*")).toBe("");
	const own = `${site.store}?schema=stranger`;
	expect(inStranger(["store", "migrate"], own).status).toBe(0);
	expect(inStranger(["run", "--detach", "--anyway"], own).status).toBe(0);
});

test("a repository that fetched the commits of another one can look at its runs, and begins none", async () => {
	site.begin();
	git(site.at("stranger"), "remote", "set-url", "origin", site.remote);
	git(site.at("stranger"), "fetch", "-q", "origin");
	expect(inStranger(["status"]).status).toBe(0);
	const refused = inStranger(["run", "--detach", "--anyway"]);
	expect(refused.said).toContain("has the runs of another repository");
	expect(refused.status).toBe(2);
	expect(JSON.parse(site.spar("office", "runs", "--json"))).toHaveLength(1);
});

test("of two repositories that begin at once one has the store", async () => {
	const postgres = await connectPostgres(site.store);
	try {
		const claims = ["office", "stranger"].map(async (machine) => {
			const places = placesOf(site.at(machine), site.env(machine));
			await claimStore(postgres, places, await openRepository(places.root, places.host));
			return machine;
		});
		const ends = await Promise.allSettled(claims);
		const [winner] = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
		const refused = ends.find(({ status }) => status === "rejected");
		expect(refused).toMatchObject({ reason: { code: "usage" } });
		const first = git(site.at(winner ?? ""), "rev-parse", "HEAD");
		expect(await storedRoots(postgres)).toEqual([first]);
	} finally {
		await postgres.close();
	}
});
