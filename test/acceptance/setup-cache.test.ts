import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, dataOf, type Play, type Stage, stage, WORKS } from "./stage.ts";

/** Installs a dependency, and says where it was run. */
const INSTALL = `pwd >> "${USER_HOME}/setups"; mkdir -p node_modules/dep; cat deps.lock > node_modules/dep/version`;
const FILES = {
	".gitignore": "node_modules/\n.venv/\ndist/\n",
	"deps.lock": "1\n",
	"check.sh": "grep -q . node_modules/dep/version || exit 3\ncat results.tap\n",
};
/** One round of feedback, then an approval. */
const REFUSES = {
	role: "coach",
	turn: 1,
	report: {
		decision: "feedback",
		rationale: "Not yet.",
		requirements_status: [{ criterion: CRITERION, met: true }],
		feedback_items: [{ issue: "more is needed", severity: "major" }],
	},
} as const;
const FIXED = {
	role: "coach",
	report: {
		decision: "approve",
		rationale: "Now it is.",
		requirements_status: [{ criterion: CRITERION, met: true }],
		findings_status: [{ id: "F1", status: "fixed" }],
	},
} as const;

function staged(play: Partial<Play> = {}): Stage {
	return stage({
		steps: [WORKS, REFUSES, FIXED],
		...play,
		files: { ...FILES, ...play.files },
		workflow: { setup: [INSTALL], setup_inputs: ["deps.lock"], ...play.workflow },
	});
}

/** The checkouts in which the setup ran, in order. */
const setups = ({ kept }: Stage): string[] =>
	kept("setups")
		.trim()
		.split("\n")
		.map((path) => path.split("/").at(-2) ?? "");

/** The directory of the kept results. */
function shelf({ repo }: Stage): string {
	const home = join(repo.home, "checkouts");
	const [id = ""] = readdirSync(home);
	return join(home, id, "setups");
}

thorough(
	"a run of two turns pays for one setup, and for the fresh one before the merge",
	async () => {
		const set = staged();
		const { code, task, stderr } = await set.run();
		expect({ code, turns: task.turns, merged: task.merged }, stderr).toEqual({
			code: 0,
			turns: 2,
			merged: true,
		});
		// For the first turn a cold setup may have begun too, before the coach refused.
		expect([...new Set(setups(set))]).toEqual(["clean", "integration"]);
		expect(setups(set).filter((name) => name === "clean")).toHaveLength(1);
		const copied = dataOf(set.trace(), "setup-copied").map(({ checkout }) => checkout);
		expect(copied).toEqual(["player", "checks", "coach"]);
	},
);

thorough("another run finds the result, until an input changes", async () => {
	const set = staged({ steps: [WORKS, APPROVES] });
	await set.run();
	set.repo.write({ "other.txt": "x" });
	set.repo.commit("Something else");
	await set.run();
	expect(setups(set)).toEqual(["clean", "integration", "integration"]);
	set.repo.write({ "deps.lock": "2\n" });
	set.repo.commit("Another version");
	await set.run();
	expect(setups(set)).toEqual(["clean", "integration", "integration", "clean", "integration"]);
	expect(readdirSync(shelf(set)).length).toBe(2);
});

thorough(
	"what a setup may have made of the sources is not taken from another tree, wherever it lies",
	async () => {
		const set = stage({
			steps: [WORKS, APPROVES],
			files: {
				".gitignore": "node_modules/\n",
				"patch.txt": "1\n",
				"check.sh": "cmp patch.txt node_modules/patch.txt || exit 3\ncat results.tap\n",
			},
			workflow: { setup: ["mkdir -p node_modules; cp patch* node_modules"] },
		});
		expect((await set.run()).task.merged).toBe(true);
		set.repo.write({ "patch.txt": "2\n" });
		set.repo.commit("Another patch");
		expect((await set.run()).task.merged).toBe(true);
	},
);

thorough("setup_cache: false sets up each checkout by itself and keeps nothing", async () => {
	const set = staged({ steps: [WORKS, APPROVES], workflow: { setup_cache: false } });
	expect((await set.run()).task.merged).toBe(true);
	expect(setups(set)).toEqual(["player", "checks", "coach", "integration"]);
	expect(existsSync(shelf(set))).toBe(false);
	expect(dataOf(set.trace(), "setup-copied")).toEqual([]);
});

thorough("what a player's own dependencies need stays with its task", async () => {
	const adds = { role: "player", run: "echo 2 > deps.lock; echo x >> work.txt" } as const;
	const set = staged({ steps: [adds, APPROVES] });
	expect((await set.run()).task.merged).toBe(true);
	// The base's, the task's, and the cold one.
	expect(setups(set)).toEqual(["clean", "clean", "integration"]);
	expect(readdirSync(shelf(set)).length).toBe(1);
	const [id = ""] = readdirSync(shelf(set));
	const version = join(shelf(set), id, "files/checkout/node_modules/dep/version");
	expect(readFileSync(version, "utf8")).toBe("1\n");
});

thorough(
	"a virtual environment is made in each checkout in which it is used, and nowhere else",
	async () => {
		const program = String.raw`printf '#!/bin/sh\ncat "%s/.venv/version"\n' "$PWD" > .venv/bin/pip`;
		const venv = `mkdir -p .venv/bin; echo 1 > .venv/version; ${program}; chmod +x .venv/bin/pip`;
		const set = staged({
			steps: [{ ...WORKS, run: ".venv/bin/pip --version > work.txt" }, APPROVES],
			workflow: { setup: [INSTALL, venv], setup_inputs: ["deps.lock"] },
			files: {
				"check.sh":
					'grep -q "$PWD/.venv" .venv/bin/pip && .venv/bin/pip || exit 3\ncat results.tap\n',
			},
		});
		const { task, stderr } = await set.run();
		expect(task.merged, stderr).toBe(true);
		expect(setups(set).toSorted()).toEqual(["checks", "coach", "integration", "player"]);
		expect(stderr).not.toContain("is not kept");
	},
);

/** How often the setup runs: in two runs of one turn, and in two checks of other work. */
const INSTALLS = [
	["what can be copied", "true", [2, 1], [0, 0]],
	["a virtual environment", 'mkdir -p .venv; echo "$PWD" > .venv/pyvenv.cfg', [4, 4], [1, 1]],
] as const;

for (const [what, command, runs, checks] of INSTALLS)
	thorough(
		`installs of ${what}: ${runs.join(", ")} in runs, ${checks.join(", ")} in checks`,
		async () => {
			const set = staged({ steps: [WORKS, APPROVES], workflow: { setup: [INSTALL, command] } });
			let before = 0;
			const added = (): number => {
				const all = setups(set).length;
				const more = all - before;
				before = all;
				return more;
			};
			const found: number[] = [];
			for (const _run of runs) {
				expect((await set.run()).task.merged).toBe(true);
				found.push(added());
			}
			for (const [index] of checks.entries()) {
				set.repo.write({ "more.txt": `${index}` });
				const { code, stderr } = await set.spar(["check"]);
				expect(code, stderr).toBe(0);
				found.push(added());
			}
			expect(found).toEqual([...runs, ...checks]);
		},
	);

thorough(
	"a result with its own path is made again in each checkout, and the person is told once",
	async () => {
		const env = "node_modules/env";
		const venv = `mkdir -p ${env}/bin; touch ${env}/pyvenv.cfg; echo "#!$PWD/${env}/bin/python" > ${env}/bin/pip`;
		const set = staged({
			steps: [WORKS, APPROVES],
			workflow: { setup: [INSTALL, venv] },
			files: { "check.sh": `grep -q "$PWD" ${env}/bin/pip || exit 3\ncat results.tap\n` },
		});
		const first = await set.run();
		expect(first.task.merged).toBe(true);
		expect(first.stderr.match(/the result of setup is not kept/g)).toHaveLength(1);
		expect(first.stderr).toContain("node_modules/env/bin/pip holds the path of the checkout");
		expect(setups(set).toSorted()).toEqual(["checks", "clean", "coach", "integration", "player"]);
		const again = await set.run();
		expect(again.stderr).not.toContain("is not kept");
		expect(setups(set).slice(5).sort()).toEqual(["checks", "coach", "integration", "player"]);
	},
);

thorough("what agents do to their copies reaches no other checkout, and no later run", async () => {
	const spoils = {
		role: "player",
		run: "echo planted > node_modules/dep/version; echo x >> work.txt",
	} as const;
	const set = staged({
		steps: [spoils, { ...APPROVES, run: "grep -q planted node_modules/dep/version && exit 9" }],
		files: { "check.sh": "grep -qx 1 node_modules/dep/version || exit 3\ncat results.tap\n" },
	});
	for (const _run of [1, 2]) expect((await set.run()).task.merged).toBe(true);
});

thorough("a damaged result is told and made again", async () => {
	const set = staged({ steps: [WORKS, APPROVES] });
	await set.run();
	const [id = ""] = readdirSync(shelf(set));
	writeFileSync(join(shelf(set), id, "files/checkout/node_modules/dep/version"), "");
	const { task, stderr } = await set.run();
	expect(task.merged).toBe(true);
	expect(stderr).toContain("what was kept is damaged");
	expect(setups(set).filter((name) => name === "clean")).toHaveLength(2);
});

thorough(
	"a place that cannot be written is told, and each checkout is set up by itself",
	async () => {
		const set = staged({ steps: [WORKS, APPROVES] });
		await set.run();
		const before = setups(set).length;
		const place = shelf(set);
		rmSync(place, { recursive: true });
		writeFileSync(place, "in the way");
		const { task, stderr } = await set.run();
		expect(task.merged).toBe(true);
		expect(stderr).toContain("could not be written");
		// The cold one is prepared while the coach's checkout is set up.
		expect(setups(set).slice(before).sort()).toEqual(["checks", "coach", "integration", "player"]);
	},
);

test("a setup that fails stops the task before its first call, with its reason", async () => {
	const set = staged({ workflow: { setup: [`pwd >> ${USER_HOME}/setups; exit 7`] } });
	const { code, task } = await set.run("--anyway");
	expect({ code, flags: task.flags }).toEqual({ code: 1, flags: ["environment"] });
	expect(task.failure_reason).toContain("exit code 7");
	expect(setups(set)).toEqual(["clean"]);
});

thorough("tasks at once share one setup", async () => {
	const task = {
		agent: "dev",
		description: "Do it.",
		acceptance_criteria: [CRITERION],
		overlays: pair(),
	};
	const own = (id: string) => ({ role: "player", task: id, run: `echo x > ${id}.txt` }) as const;
	const set = staged({
		steps: [own("a"), own("b"), APPROVES],
		workflow: { tasks: { a: task, b: task }, max_parallel: 2 },
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	expect(Object.values(report.tasks).map(({ merged }) => merged)).toEqual([true, true]);
	expect(setups(set).filter((name) => name === "clean")).toHaveLength(1);
});

thorough("what setup builds from the sources serves the tree that it was built from", async () => {
	const builds = `${INSTALL}; mkdir -p dist; cat work* > dist/bundle`;
	const set = stage({
		steps: [WORKS, { ...APPROVES, run: "cmp work.txt dist/bundle || exit 9" }],
		files: { ...FILES, "work.txt": "start\n" },
		workflow: { setup: [builds] },
	});
	expect((await set.run()).task.merged).toBe(true);
	expect(setups(set).toSorted()).toEqual(["clean", "coach", "integration"]);
});

thorough("spar status says how much is kept, and spar prune --force removes it", async () => {
	const set = staged({ steps: [WORKS, APPROVES] });
	const { report } = await set.run();
	const anyBytes: unknown = expect.any(Number);
	const kept = { results: 1, bytes: anyBytes };
	expect(report).toMatchObject({ setup_cache: kept });
	expect((await set.spar(["status"])).stdout).toMatch(/setup cache: \d/);
	const gentle = await set.json("prune");
	expect(gentle).toMatchObject({ setup_cache: { results: 0, bytes: 0 } });
	const forced = await set.json("prune", "--force");
	expect(forced).toMatchObject({ setup_cache: { results: 1 } });
	expect(await set.json("status")).toMatchObject({ setup_cache: { results: 0, bytes: 0 } });
});

thorough("a cold setup that nobody needs any more is stopped before the run ends", async () => {
	const set = staged({
		steps: [WORKS, REFUSES],
		task: { max_turns: 1 },
		workflow: { setup: [INSTALL, 'case "$PWD" in */integration/*) exec sleep 600;; esac'] },
	});
	const { code } = await set.run();
	expect(code).toBe(1);
	expect(dataOf(set.trace(), "setup-ran").map(({ checkout }) => checkout)).toEqual(["clean"]);
});

thorough(
	"a cold setup that fails while the coach works is run again at the merge, and keeps the work from merging",
	async () => {
		const set = staged({
			steps: [WORKS, APPROVES],
			workflow: { setup: [INSTALL, 'case "$PWD" in */integration/*) exit 5;; esac'] },
		});
		const { task } = await set.run();
		expect(task).toMatchObject({ merged: false, flags: ["environment"] });
		// While the coach works, for the replay before the approval and in the merge, and three times for its cold run.
		expect(setups(set)).toEqual(["clean", ...Array<string>(6).fill("integration")]);
	},
);
