import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { gatedTasks } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

/** Notes what it is told beside the clones; once it holds on instead, where that is asked for. */
const NOTIFY = `if mv ../hold ../holding 2>/dev/null; then
	while [ -e ../holding ]; do sleep 0.1; done
	exit 0
fi
echo "$*" >> ../told
`;
const notify = (...args: readonly string[]) => [
	{ type: "command", run: ["sh", "notify.sh", ...args] },
];
const QUESTION = "t1 no_worker";
const END = "end paused_for_user_escalation";

let site: Site;
let run: string;

/** A task for which no worker has been there for long enough, as the next look at its run finds. */
beforeEach(async () => {
	const files = gatedTasks(["t1"], {
		agents: {
			dev: { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"], tags: ["gpu"] },
		},
		human: {
			enabled: true,
			notify: {
				on_created: notify(`\${TASK_ID}`, `\${TRIGGER}`),
				on_end: notify("end", `\${STATUS}`),
			},
		},
	});
	site = await Site.make({ files: { ...files, "notify.sh": NOTIFY }, machines: ["one", "two"] });
	const first = await site.worker("one", 1);
	run = site.begin();
	const waits = "SELECT result FROM steps WHERE run_id = $1 AND step = 'no-worker'";
	await waitUntil(
		"the task waits for a worker",
		async () => (await site.rows(waits, run)).length > 0,
	);
	await first.end();
	const long = JSON.stringify(new Date(Date.now() - 700_000).toISOString());
	await site.rows(
		"UPDATE steps SET result = $2 WHERE run_id = $1 AND step = 'no-worker'",
		run,
		long,
	);
});
afterEach(() => site.remove());

const told = (): readonly string[] => {
	const file = join(site.scratch, "told");
	return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const notified = () =>
	site.rows(
		"SELECT task FROM events WHERE run_id = $1 AND type = 'person-notified' ORDER BY id",
		run,
	);
/** The lease of a killed worker ends after 30 s; then its job is given to another one. */
const areNotified = (times: number) =>
	waitUntil(`${times} were notified`, async () => (await notified()).length === times);

test("a question for want of a worker and the wait of the run are told once, however often it is looked at", async () => {
	await site.worker("two", 1);
	await areNotified(2);
	expect(told()).toEqual([QUESTION, END]);
	// Each worker that starts looks at all runs.
	const another = await site.worker("one", 1);
	await another.end();
	expect(told()).toEqual([QUESTION, END]);
	expect(await notified()).toEqual([{ task: "t1" }, { task: null }]);
});

test("what a worker stored and told nobody of, as it was killed, another one tells", async () => {
	writeFileSync(join(site.scratch, "hold"), "");
	const killed = await site.worker("two", 1);
	await waitUntil("somebody is being told", () => existsSync(join(site.scratch, "holding")));
	await killed.end("SIGKILL");
	rmSync(join(site.scratch, "holding"));
	expect([told(), await notified()]).toEqual([[], []]);
	await site.worker("one", 1);
	await areNotified(2);
	expect(told()).toContain(QUESTION);
	expect(told()).toContain(END);
});
