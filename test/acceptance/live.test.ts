import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { screenOf, textOf } from "../support/screen.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, type Stage, stage, TESTS, textLike, WORKS } from "./stage.ts";

const TOKEN = "tok-8f3b1c9d2e7a4650";

/** Works until the test lets it go on. */
const WAITS = 'while [ ! -e "$HOME/go" ]; do sleep 0.02; done';

const logLine = z.object({
	turn: z.int().nullable(),
	source: z.string(),
	name: z.string(),
	path: z.string(),
	line: z.string(),
});

async function linesOf(
	made: Stage,
	...args: readonly string[]
): Promise<z.infer<typeof logLine>[]> {
	const { stdout } = await made.spar(["logs", "one", "--json", ...args]);
	const lines = stdout.split("\n").filter((line) => line !== "");
	return lines.map((line) => logLine.parse(JSON.parse(line)));
}

/** Looks again until a command prints what is waited for. */
async function shown<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
	const deadline = performance.now() + 30_000;
	for (;;) {
		const seen = await look();
		if (holds(seen)) return seen;
		if (performance.now() > deadline) throw new Error("not printed within 30 s");
		await delay(20);
	}
}

thorough(
	"what an agent prints is there while it works, masked, and once when it is done",
	async () => {
		const made = stage({
			steps: [
				{ ...WORKS, run: `echo "reads with $MY_TOKEN"; ${WAITS}; echo writes | tee work.txt >&2` },
				APPROVES,
			],
			workflow: { agents: {} },
		});
		const { dev, coach } = made.agents.agents;
		made.rewrite({ agents: { dev: { ...dev, env: ["MY_TOKEN"] }, coach } });
		made.repo.commit("With a token");
		const env = { MY_TOKEN: TOKEN };
		const run = made.spar(["run", "--json"], { env });
		const before = await shown(
			() => linesOf(made, "--role", "player"),
			(lines) => lines.length > 0,
		);
		expect(before.map(({ line }) => line)).toEqual([
			expect.stringMatching(/^reads with \[MASKED:/),
		]);
		const follow = made.spar(["logs", "one", "--follow", "--role", "dev"]);
		const watch = made.spar(["watch"]);
		writeFileSync(join(made.repo.home, "go"), "");
		const { code, stderr } = await run;
		expect(code, stderr).toBe(0);
		expect((await follow).stdout).toMatch(
			/^==> turn 1, player, call 1\nreads with \[MASKED:\S+\]\nwrites\n$/,
		);
		const watched = await watch;
		expect(watched.stderr).toMatch(/^turn 1 {3}1 file \+1 -0 {3}tests 1\/1 {3}coach approves/m);
		expect(watched.stderr).toMatch(/^merged {3}tests 1\/1 .*on the merged tree; \d+:\d\d$/m);
		expect(watched.stdout).toMatch(/^next: spar land /m);
		const after = await linesOf(made);
		expect(after.filter(({ source }) => source === "player").map(({ line }) => line)).toEqual([
			before[0]?.line,
			"writes",
		]);
		// What grew while it ran is the very file in which the output is kept.
		const { events } = made.trace();
		const kept = events.map(({ data }) => z.string().safeParse(data["transcript"]).data);
		const [transcript] = kept.filter((path) => path !== undefined);
		expect(after.map(({ path }) => path)).toContain(`.sparring/${transcript}`);
		expect(JSON.stringify([after, watched, stderr])).not.toContain(TOKEN);
	},
);

thorough(
	"what a check and a setup print is there while they run, and a check has one log for each run",
	async () => {
		const made = stage({
			steps: [WORKS, APPROVES],
			workflow: {
				setup: ["echo one", "echo two"],
				checks: {
					tests: {
						...TESTS,
						run: `echo '# begins'; ${WAITS.replace("$HOME", USER_HOME)}; sh check.sh`,
					},
				},
			},
		});
		const run = made.spar(["run", "--json"]);
		const before = await shown(
			() => linesOf(made, "--role", "check"),
			(lines) => lines.length > 0,
		);
		expect(before).toMatchObject([{ turn: 0, name: "baseline-tests", line: "# begins" }]);
		expect((await linesOf(made, "--role", "setup")).map(({ line }) => line)).toEqual(
			expect.arrayContaining(["$ echo one", "one", "$ echo two", "two"]),
		);
		writeFileSync(join(made.repo.home, "go"), "");
		expect((await run).code).toBe(0);
		const checks = await linesOf(made, "--role", "check", "--turn", "1");
		const names = [...new Set(checks.map(({ name }) => name))];
		expect(names.filter((name) => /-\d+$/.test(name))).toEqual([]);
		expect(names).toContain("turn-tests");
		expect(
			checks.filter(({ name, line }) => name === "turn-tests" && line === "# begins"),
		).toHaveLength(1);
	},
);

test("a run that has ended, and one that waits, are watched as they stand", async () => {
	const made = stage({ human: true, steps: [WORKS, APPROVES], task: { requires_human: true } });
	expect((await made.run()).code).toBe(3);
	const waiting = await made.spar(["watch"]);
	expect(waiting.code).toBe(0);
	expect(waiting.stderr).toMatch(/^asks .*\n +see your choices: spar questions /m);
	expect(waiting.stdout).toMatch(/^next: spar questions /m);
	const { stdout } = await made.spar(["watch", "--json"]);
	const types = stdout
		.trimEnd()
		.split("\n")
		.map((line) => z.looseObject({ type: z.string() }).parse(JSON.parse(line)).type);
	expect(types[0]).toBe("run-started");
	expect(types).toContain("item-opened");
	expect((await made.spar(["watch", "no-such-run"])).code).toBe(2);
});

const runJson = z.object({
	run_id: z.string(),
	status: z.string(),
	tasks: z.record(z.string(), z.looseObject({ phase: z.string(), merged: z.boolean() })),
});

thorough(
	"two tasks at once have a line each, and status --watch tells of both until they have merged",
	async () => {
		const task = { agent: "dev", description: "Do it.", acceptance_criteria: [CRITERION] };
		const works = `echo "reads about $SPAR_TASK"; ${WAITS}; echo x > $SPAR_TASK.txt`;
		const made = stage({
			steps: [{ role: "player", run: works }, APPROVES],
			workflow: { defaults: { overlays: pair() }, tasks: { api: task, docs: task } },
		});
		const env = { NO_COLOR: "1" };
		const run = made.spar(["run", "--max-parallel", "2"], { columns: 80, env });
		const status = async () => {
			const { stdout } = await made.spar(["status", "--json"]);
			return runJson.safeParse(JSON.parse(stdout)).data;
		};
		await shown(status, (seen) => {
			const phases = Object.values(seen?.tasks ?? {}).map(({ phase }) => phase);
			return phases.length === 2 && phases.every((phase) => phase === "player_implementing");
		});
		const watch = made.spar(["status", "--watch"]);
		const json = made.spar(["status", "--watch", "--json"]);
		writeFileSync(join(made.repo.home, "go"), "");
		const ended = await run;
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toMatch(/^api {3}completed .*merged.*\ndocs {2}completed .*merged/m);
		// Both stood below each other, and what stays of them was told with their names at one margin.
		expect(ended.stderr).toMatch(/api {3}turn 1\/10 .*\n.*docs {2}turn 1\/10 /);
		const lines = (await screenOf(ended.stderr, 80)).flat().map(textOf);
		const merged = (id: string) =>
			textLike(new RegExp(`^${id}: +merged +tests 1/1 and the base's 1/1`));
		expect(lines).toEqual(expect.arrayContaining([merged("api"), merged("docs")]));
		expect(lines.filter((line) => /^(api|docs) +turn/.test(line))).toEqual([]);

		const { code, stdout } = await watch;
		expect(code).toBe(0);
		expect(stdout).toMatch(/^run \S+ of .*: running\n/);
		for (const id of ["api", "docs"])
			expect(stdout).toMatch(new RegExp(`^${id}, turn 1/\\d+: merged$`, "m"));
		const reports = (await json).stdout
			.trimEnd()
			.split("\n")
			.map((line) => runJson.parse(JSON.parse(line)));
		expect(Object.keys(reports[0]?.tasks ?? {})).toEqual(["api", "docs"]);
		expect(reports.at(-1)?.status).toBe("completed");
	},
);
