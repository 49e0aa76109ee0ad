import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import { APPROVAL, CRITERION, stage } from "./stage.ts";

/** Notes who it is, its temporary directory, whether that exists, and its ports; outside of the repository. */
const note = (who: string): string =>
	`test -d "$TMPDIR" && echo "${who} $TMPDIR $SPAR_PORT_BASE" >> "$HOME/places"`;

interface Place {
	readonly who: string;
	readonly tmp: string;
	readonly ports: number;
}

const one = (description: string) => ({
	agent: "dev",
	description,
	acceptance_criteria: [CRITERION],
	overlays: pair(),
});

test("agents, setup and checks of a task have temporary directories of this task alone, and its ports", async () => {
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
			const [who = "", tmp = "", ports] = line.split(" ");
			return { who, tmp, ports: Number(ports) };
		});
	const bases = new Set<number>();
	for (const task of ["red", "blue"]) {
		const own = places.filter(({ tmp }) => tmp.includes(`/${task}/`));
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
	// None has one that is of neither task.
	expect(places.filter(({ tmp }) => !/\/(?:red|blue)\//.test(tmp))).toEqual([]);
});

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
		expect(set.kept("places")).toMatch(/ \d{5}\n$/);
	},
);
