import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Site } from "./support/site.ts";

const WORKFLOW = `version: 1
name: lacking
agents:
  p: { adapter: command, run: [sh, player.sh] }
checks:
  tests: { run: sh check.sh, kind: acceptance }
tasks:
  t1: { description: write a file, acceptance_criteria: [it is there], agent: p }
`;

const FILES = {
	".gitignore": ".env\n",
	"player.sh": "echo x > out.txt\n",
	"check.sh":
		'echo "TAP version 13"; echo "1..2"; echo "ok 1 - plain"\nif cat .env >/dev/null; then echo "ok 2 - needy"; else echo "not ok 2 - needy"; exit 1; fi\n',
	"sparring.yaml": WORKFLOW,
};

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: FILES, machines: ["one"] });
});
afterEach(() => site.remove());

const put = (machine: string) => writeFileSync(join(site.at(machine), ".env"), "A=1\n");

test("what a worker's clone has and its checkouts lack stops the run, in words that fit a worker", async () => {
	put("one");
	await site.worker("one", 1);
	site.spar("office", "run", "--detach", "--json");
	const watch = site.start("office", ["watch"]);
	await watch.ended;
	const said = watch.said();
	expect(said).toContain(
		"1 test passes in the clone on one and not in Sparring's checkouts: needy",
	);
	expect(said).toContain("they lack .env, which git ignores: make it in setup");
	expect(said).not.toMatch(/where you work|copy:/);
});

test("what only the user's clone has a worker cannot know: it is known failing, and told in each report", async () => {
	put("office");
	const worker = await site.worker("one", 1);
	site.spar("office", "run", "--detach", "--json");
	const watch = site.start("office", ["watch"]);
	expect(await watch.ended).toBe(0);
	expect(worker.said()).toContain("1 known failing (needy)");
	expect(watch.said()).toContain("not counted: 1 known failing (needy)");
});
