import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { openSparring } from "../../library/open-sparring.ts";
import { placesOf } from "../../places/places.ts";
import { openStore, type Store } from "../../places/store.ts";
import { RUN, run, TASK, task, turn } from "../../store/record-builders.contract.ts";
import type { Lease, Write } from "../../store/records.ts";
import { ScreenGround } from "./ground.ts";
import { diffText } from "./tasks.ts";

const SECRET = "planted-4711-planted";
const env = { HOME: tmpdir(), PATH: process.env["PATH"], MY_TOKEN: SECRET };
const PLACE = { run: RUN, task: TASK };
const WHOLE = { turn: null, since: null };

let directory: string;
let ground: ScreenGround;
let store: Store;
let lease: Lease;
let commits: readonly string[];

const git = (...args: readonly string[]): string =>
	execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
		cwd: directory,
		encoding: "utf8",
	}).trim();

function commit(text: string): string {
	writeFileSync(join(directory, "a.txt"), text);
	git("add", "--all");
	git("commit", "--quiet", "--message", "x");
	return git("rev-parse", "HEAD");
}

const write = (...writes: readonly Write[]) => store.records.commit(lease, writes);

beforeEach(async () => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), "spar-diffs-")));
	git("init", "--quiet", "--initial-branch", "main");
	writeFileSync(join(directory, ".gitignore"), ".sparring/\n");
	commits = ["start\n", `${SECRET}\n`, "two\n"].map(commit);
	ground = new ScreenGround(await openSparring({ directory, env }), placesOf(directory, env), env);
	store = await openStore(ground.places);
	lease = await store.leases.take(RUN);
	const [start = null, one = null] = commits;
	const stored = task({ startCommit: start, commit: one, turns: 1 });
	await store.records.createRun(run(), [stored], lease);
	await write({ kind: "turn", turn: turn({ turn: 1, commit: one ?? "" }) });
});
afterEach(async () => {
	await lease.release();
	await store.close();
	await ground.close();
	rmSync(directory, { recursive: true });
});

thorough("the diff of a task has no secrets, and is that of its last commit", async () => {
	const first = await diffText(ground, PLACE, WHOLE);
	expect(first).toMatch(/^-start\n\+\[MASKED:env:\w{4}\]$/m);
	const patch = { commit: commits[2] ?? null, turns: 2 };
	await write({ kind: "task", runId: RUN, taskId: TASK, patch });
	expect(await diffText(ground, PLACE, WHOLE)).toMatch(/^-start\n\+two$/m);
});

test("a turn is compared with the one before it, or with any other, 0 being the start", async () => {
	await write(
		{ kind: "turn", turn: turn({ turn: 2, commit: commits[2] ?? "" }) },
		{ kind: "task", runId: RUN, taskId: TASK, patch: { commit: commits[2] ?? null, turns: 2 } },
	);
	const text = (turn: number, since: number | null) => diffText(ground, PLACE, { turn, since });
	expect(await text(2, null)).toMatch(/^-\[MASKED:env:\w{4}\]\n\+two$/m);
	expect(await text(2, 1)).toBe(await text(2, null));
	expect(await text(2, 0)).toMatch(/^-start\n\+two$/m);
	await expect(text(3, null)).rejects.toMatchObject({ code: "usage" });
	await expect(text(2, 2)).rejects.toMatchObject({ code: "usage" });
	await expect(text(1, 5)).rejects.toMatchObject({ code: "usage" });
	const other = diffText(ground, { run: RUN, task: "none" }, WHOLE);
	await expect(other).rejects.toMatchObject({ code: "task-not-found" });
});
