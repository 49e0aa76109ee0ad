import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { openSparring } from "../../library/open-sparring.ts";
import { makeStateDirectory, placesOf } from "../../places/places.ts";
import { openStore } from "../../places/store.ts";
import { RUN, run, task } from "../../store/record-builders.contract.ts";
import type { ActionState } from "../protocol.ts";
import { ScreenGround } from "./ground.ts";
import { Actions } from "./ground-screens.ts";

/** Stands in for `spar`: goes on until there is a file `go` beside it, or its folder is gone. */
const WAITS = `const { existsSync } = require("node:fs");
const here = process.cwd();
const isOver = () => existsSync("go") || !existsSync(here);
const looking = setInterval(() => isOver() && clearInterval(looking), 5);`;

/** A limit is for what hangs, not for a busy machine. */
const SOON = { timeout: 30_000 };

let home: string;
let directory: string;
let ground: ScreenGround;
beforeEach(async () => {
	home = realpathSync(mkdtempSync(join(tmpdir(), "spar-actions-")));
	directory = join(home, "repo");
	const named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-C", directory];
	execFileSync("git", ["init", "--quiet", "--initial-branch", "main", directory]);
	execFileSync("git", [...named, "commit", "--quiet", "--allow-empty", "--message", "start"]);
	const env = { HOME: home, PATH: process.env["PATH"] };
	const places = placesOf(directory, env);
	await makeStateDirectory(places);
	const store = await openStore(places);
	const lease = await store.leases.take(RUN);
	await store.records.createRun(run(), [task()], lease);
	await lease.release();
	await store.close();
	ground = new ScreenGround(await openSparring({ directory, env }), places, env);
});
afterEach(async () => {
	await ground.close();
	rmSync(home, { recursive: true });
});

thorough(
	"what is under way with a run is not begun again, and can be once it has ended",
	async () => {
		const ends: ActionState[] = [];
		const actions = new Actions(ground, {
			program: [process.execPath, "-e", WAITS],
			onEnded: (state) => ends.push(state),
		});
		const { started } = await actions.begin(RUN, "resume", {});
		expect(started).toMatchObject({ action: "resume", ended_at: null });
		await expect(actions.begin(RUN, "resume", {})).rejects.toMatchObject({
			code: "outdated",
			message: `run ${RUN}: resume is under way`,
		});
		writeFileSync(join(directory, "go"), "");
		await expect.poll(() => ends, SOON).toMatchObject([{ action: "resume", exit_code: 0 }]);
		await actions.begin(RUN, "resume", {});
		await expect.poll(() => ends.length, SOON).toBe(2);
	},
);

test("the end of an older action does not hide the one that was begun since", async () => {
	const ends: ActionState[] = [];
	const actions = new Actions(ground, {
		program: [process.execPath, "-e", WAITS],
		onEnded: (state) => ends.push(state),
	});
	await actions.begin(RUN, "resume", {});
	await actions.begin(RUN, "cancel", {});
	await expect.poll(() => ends.map(({ action }) => action), SOON).toEqual(["cancel"]);
	writeFileSync(join(directory, "go"), "");
	await expect.poll(() => ends.map(({ action }) => action), SOON).toEqual(["cancel", "resume"]);
	expect(actions.last(RUN)).toMatchObject({ action: "cancel" });
});
