import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVES, CRITERION, outcomeOf, stage } from "../acceptance/stage.ts";
import { sparProcess, startSpar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { waitUntil } from "../support/wait-until.ts";
import { pair } from "../support/workflow.ts";

/**
 * `feature` fails before `fixed` is there, and once `broken` is. The merge of `fixed` waits until that of `broken` was tested
 * ahead, against a baseline on which `feature` fails. When that of `broken` is tested again, it waits to be killed.
 */
const CHECK = `here="$HOME_OF_TEST"
wait_for() { while [ ! -e "$here/$1" ]; do sleep 0.02; done; }
case "$PWD" in */integration/*)
	if [ -e broken ] && [ -e "$here/ahead" ]; then touch "$here/again"; wait_for resumed; fi
	if [ ! -e broken ] && mkdir "$here/first" 2>/dev/null; then wait_for ahead; fi ;;
esac
echo "TAP version 13"; echo "1..2"; echo "ok 1 - base"
if [ -e fixed ] && [ ! -e broken ]; then echo "ok 2 - feature"; exit 0; fi
echo "not ok 2 - feature"; exit 1
`;

const task = { description: "Do it.", acceptance_criteria: [CRITERION], overlays: pair() };

test("a merge that was tested ahead and killed while it is tested again is not taken for tested", async () => {
	const at = stage({
		steps: [
			{ role: "player", task: "fixed", run: "echo x > fixed" },
			// Behind the other one in the queue.
			{ role: "coach", task: "broken", run: "sh wait.sh", report: APPROVES.report },
			{ role: "player", task: "broken", run: "echo x > broken" },
			APPROVES,
		],
		workflow: {
			max_parallel: 2,
			// What `fixed` changes, so that its cold run comes in the merge.
			setup: ["true"],
			setup_inputs: ["fixed"],
			checks: { tests: { kind: "acceptance", run: "sh check.sh", report: { format: "tap" } } },
			tasks: { fixed: task, broken: task },
			defaults: { max_turns: 1 },
		},
	});
	const { repo } = at;
	repo.write({
		"check.sh": CHECK.replace("$HOME_OF_TEST", repo.home),
		"wait.sh": `while [ ! -e "${repo.home}/first" ]; do sleep 0.02; done\n`,
	});
	repo.commit("A check that waits");
	const { child, ended, output } = startSpar(repo, ["run", "--verbose"]);
	tidyLater(() => child.kill("SIGKILL"));
	const inHome = (name: string): string => join(repo.home, name);
	await waitUntil("tested ahead", () =>
		/broken.*the base's tests on the work \(assembled\)/.test(output().stderr),
	);
	writeFileSync(inHome("ahead"), "");
	await waitUntil("tested again", () => existsSync(inHome("again")));
	child.kill("SIGKILL");
	await ended;
	writeFileSync(inHome("resumed"), "");
	const { report } = outcomeOf(await sparProcess(repo, ["resume", "--json"]));
	expect(report.tasks["fixed"]?.merged).toBe(true);
	expect(report.tasks["broken"]?.merged).toBe(false);
});
