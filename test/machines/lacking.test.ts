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
	"check.sh": 'echo "TAP version 13"; echo "1..2"; echo "ok 1 - plain"\nif cat .env >/dev/null; then echo "ok 2 - needy"; else echo "not ok 2 - needy"; exit 1; fi\n',
	"sparring.yaml": WORKFLOW,
};

let site: Site;
beforeEach(async () => {
	site = await Site.make({ files: FILES, machines: ["one"] });
});
afterEach(() => site.remove());

const put = (machine: string) => writeFileSync(join(site.at(machine), ".env"), "A=1\n");

test.each([["office"], ["one"]])("explore %s", async (has) => {
	put(has);
	const worker = await site.worker("one", 1);
	const run = site.start("office", ["run", "--detach", "--json"]);
	console.log("RC", await run.ended, run.said());
	const watch = site.start("office", ["watch"]);
	console.log("WATCH", await watch.ended, watch.said());
	console.log("WORKER", worker.said());
	console.log("STATUS", site.spar("office", "status"));
	expect(1).toBe(1);
});
