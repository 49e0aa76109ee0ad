import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROGRAM } from "../support/program.ts";
import { git, Site } from "./support/site.ts";

const TASKS = ["t1", "t2", "t3", "t4", "t5", "t6"];

const PLAYER = `sleep 0.4
echo "$SPAR_TASK" > "out-$SPAR_TASK.txt"
`;

const WORKFLOW = `version: 1
name: machines
max_parallel: 4
agents:
  p: { adapter: command, run: [sh, player.sh] }
  q: { adapter: command, run: [sh, player.sh], tags: [gpu] }
checks:
  tests: { run: "ls out-*.txt", kind: acceptance, report: { format: exit } }
tasks:
${TASKS.map(
	(id, index) => `  ${id}:
    description: write the file ${id}
    acceptance_criteria: [the file is there]
    agent: ${id === "t5" ? "q" : "p"}
    depends_on: [${index > 3 ? "t1, t2" : ""}]
`,
).join("")}`;

let site: Site;
beforeEach(async () => {
	const files = { "player.sh": PLAYER, "sparring.yaml": WORKFLOW };
	site = await Site.make({ files, machines: ["one", "two"] });
});
afterEach(() => site.remove());

/** Subjects of what merged, oldest first. */
const merged = (run: string): readonly string[] =>
	site
		.atRemote("log", "--reverse", "--format=%s", `main..sparring/${run}/integration`)
		.split("\n")
		.filter((subject) => subject !== "");

interface Report {
	readonly run_id: string;
	readonly status: string;
	readonly unclaimed: readonly { readonly task: string; readonly has_worker: boolean }[];
	readonly tasks: Readonly<Record<string, { readonly status: string; readonly merged: boolean }>>;
}

const status = (machine: string): Report =>
	JSON.parse(site.spar(machine, "status", "--json")) as Report;

test("two workers with clones of their own take a run to its end, also when one is killed in the middle", async () => {
	const one = await site.worker("one", 2);
	const run = site.begin();
	await one.told("taken");
	await one.end("SIGKILL");
	const two = await site.worker("two", 3, { tags: "gpu" });
	await two.told("taken");
	site.spar("office", "watch", run);
	const report = status("one");
	expect(report.status).toBe("completed");
	expect(Object.keys(report.tasks)).toEqual(TASKS);
	expect(Object.values(report.tasks).every((task) => task.merged)).toBe(true);
	const expected = TASKS.map((id) => `write the file ${id}`);
	expect([...merged(run)].sort((a, b) => a.localeCompare(b))).toEqual(expected);
	const files = site.atRemote("ls-tree", "--name-only", `sparring/${run}/integration`);
	for (const id of TASKS) expect(files).toContain(`out-${id}.txt`);
	// Any machine can show and land what others did.
	expect(site.spar("two", "diff", "t3")).toContain("out-t3.txt");
	site.spar("office", "land", run);
	expect(git(site.at("office"), "log", "--format=%s", "main")).toContain("write the file t6");
	site.spar("office", "prune");
	expect(site.atRemote("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

test("a task that no worker can take is shown as such, and one with its tags takes it", async () => {
	await site.worker("one", 4);
	const begun = site.start("office", ["run", "--detach", "--anyway", "--task-id", "t5"]);
	expect(await begun.ended).toBe(0);
	expect(begun.said()).toContain("waits for workers");
	expect(begun.said()).toContain(
		"no worker with the tags gpu runs. Start one: spar worker --tags gpu",
	);
	const merging = Promise.withResolvers<void>();
	const looking = setInterval(() => {
		const { unclaimed, tasks } = status("office");
		if (tasks["t1"]?.merged === true && tasks["t2"]?.merged === true && unclaimed.length > 0)
			merging.resolve();
	}, 300);
	await merging.promise;
	clearInterval(looking);
	expect(status("office").unclaimed).toEqual([
		{ task: "t5", tags: ["gpu"], has_worker: false, unfit: [] },
	]);
	await site.worker("two", 1, { tags: "gpu" });
	site.spar("office", "watch");
	expect(status("office").status).toBe("completed");
});

test("one clone has one worker, and workers of all machines are listed while they live", async () => {
	const one = await site.worker("one", 1, { tags: "b,a" });
	expect(() => site.spar("one", "worker")).toThrow(
		/a worker \(\S+, pid \d+\) works in this clone already/,
	);
	const listed = JSON.parse(site.spar("two", "workers", "--json")) as readonly object[];
	expect(listed).toMatchObject([{ tags: ["a", "b"], slots: 1, busy: 0 }]);
	expect(Object.keys(listed[0] ?? {}).sort((a, b) => a.localeCompare(b))).toEqual([
		"busy",
		"draining",
		"host",
		"id",
		"lacks",
		"seen_at",
		"slots",
		"tags",
	]);
	await one.end();
	expect(JSON.parse(site.spar("two", "workers", "--json"))).toEqual([]);
});

test("what needs a shared store says so without one", () => {
	const env = { ...site.env("office"), SPAR_STORE: "" };
	for (const args of [["workers"], ["worker"], ["store", "migrate"], ["run", "--detach"]]) {
		const options = { cwd: site.at("office"), env, encoding: "utf8" } as const;
		const { status: code, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
		expect([code, stderr]).toEqual([2, expect.stringContaining("SPAR_STORE") as unknown]);
	}
});
