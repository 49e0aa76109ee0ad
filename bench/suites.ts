import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.ts";
import { commitAll, type Environment, inScratch, withoutGit, writeFiles } from "./scratch.ts";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** A project whose suite and setup write a line each time that they run. */
interface Project {
	readonly name: string;
	readonly files: Readonly<Record<string, string>>;
	readonly setup: string;
	readonly test: string;
	/** Product that the player writes in a turn of a task. */
	readonly product: (task: string) => string;
}

const NPM: Project = {
	name: "npm",
	files: {
		"package.json": '{ "name": "bench", "version": "1.0.0", "type": "module" }\n',
		"package-lock.json": "{}\n",
		".gitignore": "node_modules/\n",
		"src/sum.js": "export const sum = (a, b) => a + b;\n",
		"test/sum.test.js":
			'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../src/sum.js";\ntest("adds", () => assert.equal(sum(1, 2), 3));\n',
	},
	// What `npm ci` would leave, without a registry.
	setup: "mkdir -p node_modules/left-pad && echo 1 > node_modules/left-pad/index.js",
	test: "node --test",
	product: (task) => `echo "export const turn = $SPAR_TURN;" > src/${task}.js`,
};

/** What pnpm leaves: links into a store of its own, and scripts that hold the path of the checkout. */
const PNPM: Project = {
	...NPM,
	name: "pnpm",
	setup: [
		"mkdir -p node_modules/.bin node_modules/.pnpm/pad/node_modules/pad",
		"ln -sfn .pnpm/pad/node_modules/pad node_modules/pad",
		"echo 'process.exit(0)' > node_modules/.pnpm/pad/node_modules/pad/index.js",
		`printf '#!/bin/sh\\nexec node %s/node_modules/pad/index.js\\n' "$PWD" > node_modules/.bin/pad`,
		"chmod +x node_modules/.bin/pad",
	].join(" && "),
	test: "node_modules/.bin/pad && node --test",
};

const PYTEST: Project = {
	name: "pytest",
	files: {
		"calc/__init__.py": "def add(a, b):\n    return a + b\n",
		"tests/test_calc.py": "from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n",
		"conftest.py": "",
		".gitignore": ".venv/\n__pycache__/\n.pytest_cache/\n",
	},
	setup: "python3 -m venv --system-site-packages .venv",
	test: ".venv/bin/python -m pytest -q",
	product: (task) => `echo "TURN = $SPAR_TURN" > calc/${task}.py`,
};

/** Executions of suite and setup in a run. */
interface Counted {
	readonly suites: number;
	readonly setups: number;
	/** Time of the whole run, in ms. */
	readonly ms: number;
	/** Bytes of each prompt of the coach, in order. */
	readonly prompts: readonly number[];
}

/** How long the coach takes: as a short call of a model, so that the setup for the merge is done meanwhile. */
const COACH_S = 8;

/**
 * Runs of the suite and of the setup in tasks of one and two turns, in a second run from the same base, and in three tasks at once.
 * Of the suite the floor is what no implementation could omit: one run a turn, and one cold run for each merge.
 */
export async function measureSuites(environment: Environment): Promise<Measurement[]> {
	const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
	const all: Measurement[] = [];
	for (const project of hasPytest ? [NPM, PNPM, PYTEST] : [NPM, PNPM])
		all.push(...(await inScratch((scratch) => measureProject(scratch, project, environment))));
	return all;
}

function measureProject(
	scratch: string,
	project: Project,
	environment: Environment,
): Promise<Measurement[]> {
	const checkouts = join(scratch, "checkouts");
	const env = { ...withoutGit(environment), SPAR_CHECKOUTS: checkouts };
	const root = join(scratch, "project");
	const counted = (turns: number, tasks: number): Counted => {
		writeFiles(root, {
			...project.files,
			"sparring.yaml": JSON.stringify(workflow(scratch, project, { turns, tasks })),
		});
		if (!existsSync(join(root, ".git"))) commitAll(root, env);
		for (const name of ["suite", "setup", "prompts"]) rmSync(join(scratch, name), { force: true });
		const startedAt = performance.now();
		execFileSync(process.execPath, [MAIN, "run", "--json"], { cwd: root, env, stdio: "ignore" });
		const lines = (name: string): number =>
			existsSync(join(scratch, name)) ? readFileSync(join(scratch, name), "utf8").length / 2 : 0;
		const ms = performance.now() - startedAt;
		const prompts = readFileSync(join(scratch, "prompts"), "utf8").trim().split("\n").map(Number);
		return { suites: lines("suite"), setups: lines("setup"), ms, prompts };
	};
	const fresh = (): void => {
		for (const path of [root, checkouts]) rmSync(path, { recursive: true, force: true });
	};
	const told = (
		name: string,
		{ suites, setups, ms }: Counted,
		{ floor, most, tasks = 1, turns = 1 }: Told,
	): Measurement[] => [
		{
			...of(`${project.name}, ${name}: whole run, against its coach's calls`, ms, 0, 3),
			unit: "ms",
			floor: turns * COACH_S * 1_000,
		},
		of(`${project.name}, ${name}: runs of the suite`, suites, floor, most / floor),
		// One for all, and a cold one for each merge.
		of(`${project.name}, ${name}: setups`, setups, 1 + tasks, 1),
	];
	const first = told("one turn", counted(1, 1), { floor: 2, most: 3 });
	const second = told("a second run from the same base", counted(1, 1), { floor: 2, most: 2 });
	fresh();
	const twice = counted(2, 1);
	const two = told("two turns", twice, { floor: 3, most: 4, turns: 2 });
	const [before = 0, after = 0] = twice.prompts;
	// Its finding and the change since, in place of the whole change.
	const look = of(`${project.name}, two turns: the coach's second prompt`, after, before, 1.1);
	fresh();
	const three = told("three tasks at once", counted(1, 3), { floor: 6, most: 9, tasks: 3 });
	return Promise.resolve([...first, ...second, ...two, { ...look, unit: "bytes" }, ...three]);
}

interface Told {
	readonly floor: number;
	readonly most: number;
	readonly tasks?: number;
	readonly turns?: number;
}

const of = (name: string, value: number, floor: number, target: number): Measurement => ({
	name,
	value,
	floor,
	unit: "runs",
	target,
});

function workflow(
	scratch: string,
	{ setup, test, product }: Project,
	{ turns, tasks }: { readonly turns: number; readonly tasks: number },
): object {
	const counting = (name: string, command: string) =>
		`echo 1 >> ${join(scratch, name)}; ${command}`;
	const agent = (script: string) => ({ adapter: "command", run: ["sh", "-c", script] });
	const met = '"requirements_status":[{"criterion":"it is there","met":true}]';
	const refusal = `{"decision":"feedback","rationale":"not yet",${met},"feedback_items":[{"issue":"more","severity":"major"}]}`;
	const approval = `{"decision":"approve","rationale":"now",${met},"findings_status":[{"id":"F1","status":"fixed"}]}`;
	const names = Array.from({ length: tasks }, (_each, index) => `task${index}`);
	return {
		version: 1,
		max_parallel: tasks,
		setup: [counting("setup", setup)],
		setup_inputs: ["package-lock.json"],
		agents: {
			dev: agent(
				`${product('"$SPAR_TASK"')}; echo '{"implementation_notes":"done"}' > "$SPAR_REPORT"`,
			),
			reviewer: agent(
				`wc -c >> ${join(scratch, "prompts")}; sleep ${COACH_S}; if [ "$SPAR_TURN" -lt ${turns} ]; then echo '${refusal}'; else echo '${approval}'; fi > "$SPAR_REPORT"`,
			),
		},
		player: "dev",
		coach: "reviewer",
		checks: { tests: { kind: "acceptance", run: counting("suite", test) } },
		human: { enabled: false },
		tasks: Object.fromEntries(
			names.map((name) => [
				name,
				{ description: "Keep it up to date.", acceptance_criteria: ["it is there"] },
			]),
		),
	};
}
