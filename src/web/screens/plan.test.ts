import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { openSparring } from "../../library/open-sparring.ts";
import { placesOf } from "../../places/places.ts";
import { ScreenGround } from "./ground.ts";
import { editPlan, readPlan } from "./plan.ts";

const WORKFLOW = `version: 1
name: plan
agents:
  dev: { adapter: command, run: ["true"] }
checks:
  tests: { kind: acceptance, run: "true" }
tasks:
  one: { agent: dev, description: Do it., acceptance_criteria: [done] }
`;

let home: string;
let ground: ScreenGround;
beforeEach(async () => {
	home = realpathSync(mkdtempSync(join(tmpdir(), "spar-plan-")));
	const directory = join(home, "repo");
	execFileSync("git", ["init", "--quiet", "--initial-branch", "main", directory]);
	for (const file of [join(directory, "sparring.yaml"), join(home, "outside.yaml")])
		writeFileSync(file, WORKFLOW);
	symlinkSync(join(home, "outside.yaml"), join(directory, "link.yaml"));
	const env = { HOME: home, PATH: process.env["PATH"] };
	ground = new ScreenGround(await openSparring({ directory, env }), placesOf(directory, env), env);
});
afterEach(async () => {
	await ground.close();
	rmSync(home, { recursive: true });
});

test("the plan is that of the repository's own file", async () => {
	const { tasks, checks } = await readPlan(ground, null);
	expect(tasks).toMatchObject([{ id: "one", title: "Do it.", depends_on: [], player: "dev" }]);
	expect([tasks[0]?.coach, checks]).toEqual([null, ["tests"]]);
	expect((await readPlan(ground, "sparring.yaml")).tasks).toHaveLength(1);
});

thorough("a flag goes back to auto, in the file too", async () => {
	const { digest } = await readPlan(ground, null);
	const declined = await editPlan(ground, { digest, tasks: { one: false } });
	expect(declined.tasks).toMatchObject([{ requires_verification: false, by: "person" }]);
	const again = await editPlan(ground, { digest: declined.digest, all: "auto" });
	expect(again.tasks).toMatchObject([{ requires_verification: "auto", by: "heuristic" }]);
});

test.each(["../outside.yaml", "/etc/passwd", "link.yaml", "."])(
	"%s leads out of the repository, and is not read",
	async (file) => {
		await expect(readPlan(ground, file)).rejects.toMatchObject({
			code: "usage",
			message: `${file} is no file of this repository`,
		});
	},
);
