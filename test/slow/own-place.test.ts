import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { APPROVAL, APPROVES, CRITERION, stage, TESTS } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { startSpar } from "../support/spar.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";

/** Notes who it is, its temporary directory, whether that exists, and its ports; outside of the repository. */
const note = (who: string): string =>
	`test -d "$TMPDIR" && echo "${who} $TMPDIR $SPAR_PORT_BASE $PWD $COMPOSE_PROJECT_NAME" >> "${USER_HOME}/places"`;

interface Place {
	readonly who: string;
	readonly tmp: string;
	readonly ports: number;
	/** The checkout. */
	readonly at: string;
	readonly compose: string;
}

const one = (description: string) => ({
	agent: "dev",
	description,
	acceptance_criteria: [CRITERION],
	overlays: pair(),
});

thorough(
	"agents, setup and checks of a task have temporary directories of this task alone, and its ports",
	async () => {
		const set = stage({
			steps: [
				{ role: "player", run: `${note("player")}; echo "$SPAR_TASK" > "$SPAR_TASK.txt"` },
				{ role: "coach", report: APPROVAL, run: note("coach") },
			],
			workflow: {
				setup: [note("setup")],
				setup_cache: false,
				checks: {
					tests: {
						kind: "acceptance",
						run: `${note("check")}; sh check.sh`,
						timeout: "20s",
					},
				},
				tasks: { red: one("Do one thing."), blue: one("Do another thing.") },
			},
		});
		const { code, stderr } = await set.run();
		expect(code, stderr).toBe(0);
		const places = readFileSync(join(set.repo.home, "places"), "utf8")
			.trim()
			.split("\n")
			.map((line): Place => {
				const [who = "", tmp = "", ports, at = "", compose = ""] = line.split(" ");
				return { who, tmp, ports: Number(ports), at, compose };
			});
		const bases = new Set<number>();
		for (const task of ["red", "blue"]) {
			const own = places.filter(({ at }) => at.includes(`/${task}/`));
			expect(new Set(own.map(({ who }) => who))).toEqual(
				new Set(["setup", "check", "player", "coach"]),
			);
			expect(new Set(own.map(({ ports }) => ports)).size).toBe(1);
			for (const { ports } of own) bases.add(ports);
			for (const { ports } of own) expect(ports).toBeGreaterThanOrEqual(1_024);
			for (const { ports } of own) expect(ports).toBeLessThanOrEqual(64_900);
		}
		// Both began at once.
		expect(bases.size).toBe(2);
		// No two checkouts have the same name, by which Docker Compose and others tell projects apart.
		const checkouts = new Set(places.map(({ at }) => at));
		expect(new Set(places.map(({ at }) => basename(at))).size).toBe(checkouts.size);
		expect(checkouts.size).toBeGreaterThan(6);
		for (const { at, compose } of places) expect(compose).toBe(basename(at));
		for (const { compose } of places) expect(compose).toMatch(/^project-[0-9a-f]{6}$/);
		// Each has one of its own, which is short, and gone afterwards.
		expect(new Set(places.map(({ tmp }) => tmp)).size).toBe(places.length);
		expect(places.filter(({ tmp }) => tmp.length > 40 || existsSync(tmp))).toEqual([]);
	},
);

thorough(
	"an agent cannot be given other ports by the environment that Sparring was started in",
	async () => {
		const set = stage({
			steps: [
				{ role: "player", run: `${note("player")}; echo x > x.txt` },
				{ role: "coach", report: APPROVAL },
			],
		});
		const { dev, coach } = set.agents.agents;
		set.rewrite({ agents: { dev: { ...dev, env: ["SPAR_PORT_BASE"] }, coach } });
		set.repo.commit("Names the variable");
		const { code, stderr } = await set.spar(["run"], { env: { SPAR_PORT_BASE: "7" } });
		expect(code, stderr).toBe(0);
		expect(set.kept("places")).toMatch(/ \d{5} \S+ \S+\n$/);
	},
);

test("the temporary folder of a check is gone when a killed run goes on", async () => {
	const set = stage({
		steps: [{ role: "player", run: "echo x > x.txt" }, APPROVES],
		workflow: {
			checks: {
				tests: {
					...TESTS,
					run: `if [ -e x.txt ] && mkdir "${USER_HOME}/killed" 2>/dev/null; then
						echo "$TMPDIR" > "${USER_HOME}/left"; kill -9 "$(cat "${USER_HOME}/pid")"; sleep 60; fi; ${TESTS.run}`,
				},
			},
		},
	});
	const run = startSpar(set.repo, ["run"]);
	writeFileSync(join(set.repo.home, "pid"), `${run.child.pid}`);
	expect((await run.ended).signal).toBe("SIGKILL");
	const left = set.kept("left").trim();
	expect(existsSync(left)).toBe(true);
	const { code, stderr } = await set.resume();
	expect(code, stderr).toBe(0);
	expect(existsSync(dirname(left))).toBe(false);
});
