import { once } from "node:events";
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { git, type LandingScene, landingScene } from "./support/landing-scene.ts";

let scene: LandingScene;

beforeEach(async () => {
	scene = await landingScene();
});

afterEach(async () => {
	await scene.close();
});

/** Where a branch of the remote is. */
const at = (branch: string): string => git(scene.remote, "rev-parse", branch);
const integration = (run: string): string => `sparring/${run}/integration`;
/** Where the base branch of a clone is. */
const mainOf = (machine: string): string => git(scene.clone(machine), "rev-parse", "main");
const LONG_MS = 120_000;
/** For tests in which a lease has to end by itself, which takes half a minute, or that do a lot. */
const SLOW = { timeout: 300_000 };

/** Waits until the work of both tasks is on the remote's base branch, and stored as landed. */
async function hasLanded(): Promise<void> {
	const work = /^out-one\.txt\nout-two\.txt$/m;
	const isThere = () => work.test(git(scene.remote, "ls-tree", "--name-only", "main"));
	await waitUntil("the work is on main", isThere, LONG_MS);
	await waitUntil("the run has landed", () => scene.status().landed, LONG_MS);
}

function eventsOf(run: string): readonly { readonly type: string }[] {
	const { out } = scene.spar("office", "watch", run, "--json");
	return out
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as { readonly type: string });
}
const containing = (text: string): unknown => expect.stringContaining(text) as unknown;
const count = (run: string, type: string): number =>
	eventsOf(run).filter((event) => event.type === type).length;

test("a run lands by itself on the remote's base branch, and no clone's branch moves but that of whoever asks for it", async () => {
	const base = at("main");
	const run = scene.start();
	await scene.startWorker("first");
	const watched = scene.spar("second", "status", "--watch", "--json");
	expect(JSON.parse(watched.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
		status: "completed",
		landed: true,
	});
	await hasLanded();
	expect(at("main")).toBe(at(integration(run)));
	const files = git(scene.remote, "ls-tree", "--name-only", "main");
	expect(files).toContain("out-one.txt\nout-two.txt");
	expect(["office", "first", "second"].map(mainOf)).toEqual([base, base, base]);
	const landed = scene.spar("office", "land", run, "--json");
	expect(JSON.parse(landed.out)).toMatchObject({
		outcome: "already_landed",
		remote: "origin",
		branch: "main",
	});
	expect(mainOf("office")).toBe(at("main"));
	expect(existsSync(join(scene.clone("office"), "out-one.txt"))).toBe(true);
	expect(git(scene.clone("office"), "status", "--porcelain")).toBe("");
	git(scene.clone("second"), "commit", "-q", "--allow-empty", "-m", "mine");
	const mine = mainOf("second");
	expect(scene.spar("second", "land", run)).toMatchObject({
		out: `${run} had already landed on origin/main at ${at("main")}\n`,
		err: containing("git pull --no-rebase origin main"),
	});
	expect(mainOf("second")).toBe(mine);
});

test("prune knows on any machine that a run has landed, although no base branch there moved", async () => {
	const run = scene.start();
	await scene.startWorker("first");
	await hasLanded();
	const pruned = scene.spar("second", "prune", "--json");
	expect(JSON.parse(pruned.out)).toMatchObject({ pruned: [run], kept: [] });
	expect(git(scene.remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
	const left = () => git(scene.clone("office"), "for-each-ref", `refs/heads/sparring/${run}`);
	expect(left()).not.toBe("");
	const here = scene.spar("office", "prune", "--json");
	expect(JSON.parse(here.out)).toMatchObject({ pruned: [run], kept: [] });
	expect(left()).toBe("");
	expect(JSON.parse(scene.spar("office", "prune", "--json").out)).toMatchObject({ pruned: [] });
	// What landed and is gone otherwise can still be brought home.
	expect(scene.spar("office", "land", run).out).toContain("had already landed on origin/main");
	expect(mainOf("office")).toBe(at("main"));
});

test(
	"a worker that is killed in the landing is followed by another, and the run lands once",
	SLOW,
	async () => {
		writeFileSync(scene.hold, "");
		const run = scene.start();
		const moved = scene.moveBase("moved.txt");
		const { child: first } = await scene.startWorker("first");
		await waitUntil("the landing is checked", () => existsSync(scene.checking), LONG_MS);
		expect(at("main")).toBe(moved);
		const killed = once(first, "exit");
		first.kill("SIGKILL");
		await killed;
		rmSync(scene.checking);
		await scene.startWorker("second");
		await waitUntil("the landing is checked again", () => existsSync(scene.checking), LONG_MS);
		expect(at("main")).toBe(moved);
		rmSync(scene.hold);
		await hasLanded();
		expect(at("main")).toBe(at(integration(run)));
		expect(git(scene.remote, "log", "--merges", "--format=%s", "main")).toBe(
			`Merge main into ${integration(run)}`,
		);
		expect(git(scene.remote, "rev-list", "--count", `main..${moved}`)).toBe("0");
		expect([count(run, "base-merged"), count(run, "run-landed")]).toEqual([1, 1]);
	},
);

test(
	"a worker that is stopped in the landing past its lease and continued pushes and stores nothing",
	SLOW,
	async () => {
		writeFileSync(scene.hold, "");
		const run = scene.start();
		scene.moveBase("moved.txt");
		const first = await scene.startWorker("first");
		await waitUntil("the landing is checked", () => existsSync(scene.checking), LONG_MS);
		first.child.kill("SIGSTOP");
		rmSync(scene.hold);
		await scene.startWorker("second");
		await hasLanded();
		const landed = at("main");
		first.child.kill("SIGCONT");
		// It has lost the run, its own lease and its clone, and says what it notices first.
		const gaveUp = (): boolean =>
			first.child.exitCode !== null || first.said().includes(`landing of run ${run}: given back`);
		await waitUntil("it gave up", gaveUp, LONG_MS);
		expect([at("main"), at(integration(run))]).toEqual([landed, landed]);
		expect([count(run, "run-landed"), count(run, "landing-refused")]).toEqual([1, 0]);
		expect(first.said()).not.toContain("did not land");
	},
);

test("a landing by a worker cannot be cancelled, and whoever tries is told what is left", async () => {
	writeFileSync(scene.hold, "");
	const run = scene.start();
	scene.moveBase("moved.txt");
	await scene.startWorker("first");
	await waitUntil("the landing is checked", () => existsSync(scene.checking), LONG_MS);
	const refused = scene.spar("office", "cancel", run);
	expect(refused.code).toBe(2);
	expect(refused.err).toContain(`all tasks of run ${run} have ended, and a worker is to land`);
	rmSync(scene.hold);
	await hasLanded();
	expect(scene.spar("office", "cancel", run).err).toContain("Nothing is left to cancel");
});

test("a landing whose remote goes away before the push is done once it is back", SLOW, async () => {
	writeFileSync(scene.hold, "");
	const run = scene.start();
	scene.moveBase("moved.txt");
	const { said } = await scene.startWorker("first");
	await waitUntil("the landing is checked", () => existsSync(scene.checking), LONG_MS);
	renameSync(scene.remote, `${scene.remote}.away`);
	rmSync(scene.hold);
	await waitUntil("it says so", () => said().includes("cannot be reached"), LONG_MS);
	expect(scene.status()).toMatchObject({ landed: false, landing_refused: null });
	renameSync(`${scene.remote}.away`, scene.remote);
	await hasLanded();
	expect(at("main")).toBe(at(integration(run)));
	expect(count(run, "landing-refused")).toBe(0);
});

test("what is red on the moved base is refused with the reason to whoever follows the run, and lands once it is green", async () => {
	const run = scene.start();
	const red = scene.moveBase("red.txt");
	const followed = scene.spar("office", "resume", run, "--json");
	expect(followed.code).toBe(1);
	const reason = containing("main on origin has moved since the run began");
	const refused = { status: "completed", landed: false, landing_refused: reason };
	expect(JSON.parse(followed.out)).toMatchObject(refused);
	expect(scene.status()).toMatchObject(refused);
	expect([at("main"), count(run, "landing-refused")]).toEqual([red, 1]);
	git(scene.clone("other"), "rm", "-q", "red.txt");
	scene.moveBase("green.txt");
	expect(scene.spar("office", "resume", run).code).toBe(0);
	expect(scene.status()).toMatchObject({ landed: true, landing_refused: null });
	expect(mainOf("office")).toBe(at("main"));
});

test("a protected branch refuses the landing with the ways out, and what it holds stays as it was", async () => {
	const hook = join(scene.remote, "hooks/pre-receive");
	const words = 'echo "main is protected" >&2; exit 1';
	const lines = ["#!/bin/sh", "while read -r old new ref; do"];
	writeFileSync(
		hook,
		[...lines, `[ "$ref" = refs/heads/main ] && { ${words}; }`, "done", "exit 0", ""].join("\n"),
	);
	chmodSync(hook, 0o755);
	const base = at("main");
	const run = scene.start();
	await scene.startWorker("first");
	await waitUntil("refused", () => scene.status().landing_refused !== null, LONG_MS);
	expect(scene.status().landing_refused).toMatch(
		/origin did not take main: .*main is protected.*spar land \S+ --pr/s,
	);
	expect(at("main")).toBe(base);
	const byHand = scene.spar("office", "land", run);
	expect(byHand).toMatchObject({ code: 1, out: containing("main is protected") });
	rmSync(hook);
	const dirty = join(scene.clone("office"), "out-one.txt");
	writeFileSync(dirty, "mine\n");
	const landed = scene.spar("office", "land", run);
	expect(landed.out).toBe(`landed ${run} on origin/main at ${at("main")}\n`);
	expect(landed.err).toContain("main of this clone stays where it is");
	expect(landed.err).toContain("git pull --ff-only origin main");
	expect([at("main"), mainOf("office")]).toEqual([at(integration(run)), base]);
});

test("nobody lands a run while a machine works on one of its tasks", SLOW, async () => {
	scene.moveBase("moved.txt");
	git(scene.clone("office"), "pull", "-q", "--ff-only", "origin", "main");
	writeFileSync(scene.hold, "");
	const run = scene.start();
	await scene.startWorker("first");
	await waitUntil("a task is worked on", () => existsSync(scene.checking), LONG_MS);
	const refused = scene.spar("office", "land", run);
	expect(refused.code).toBe(2);
	expect(refused.err).toMatch(/task (?:one|two) of run \S+ is worked on by /);
	rmSync(scene.hold);
	await hasLanded();
});

test("a run that could not land is refused before it begins, and commits that would be published are told", () => {
	const office = scene.clone("office");
	git(office, "switch", "-q", "-c", "topic");
	const nowhere = scene.spar("office", "run", "--detach", "--anyway");
	expect(nowhere).toMatchObject({
		code: 2,
		err: containing("origin has no branch topic to land on"),
	});
	git(office, "switch", "-q", "main");
	git(office, "commit", "-q", "--allow-empty", "-m", "mine");
	// No checkout of this clone takes part.
	writeFileSync(join(office, "check.sh"), "changed\n");
	const begun = scene.spar("office", "run", "--detach", "--anyway");
	expect(begun.code).toBe(0);
	expect(begun.err).toContain("main has commits here that origin does not have there");
});
