import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { treeOf } from "../git/changes.ts";
import { openCheckout } from "../git/checkout.ts";
import { commitAll, type Scene, scene, writeFiles } from "../git/scratch.fixture.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { noMasker } from "../masking/masking.ts";
import { bareHost } from "../process/run-process.ts";
import { homeOf } from "../setups/execution.ts";
import { setUpCheckout } from "../setups/set-up-checkout.ts";
import { runSuite } from "./suite.ts";

const FILES = { ".gitignore": "node_modules/\ncache/\n__pycache__/\n", "src/a.py": "a = 1\n" };

/** A setup that leaves dependencies, byte code, a lock file that nobody ignores, and files in its home. */
const SETUP = [
	"mkdir -p node_modules/dep src/__pycache__ && echo 1 > node_modules/dep/index.js && touch package-lock.json",
	'mkdir -p "$XDG_CACHE_HOME/browsers" && echo 1 > "$XDG_CACHE_HOME/browsers/one" && touch src/__pycache__/a.pyc',
	'echo ran >> "$LOG"',
];
const MADE = 'grep -qx 1 node_modules/dep/index.js && grep -qx 1 "$HOME/.cache/browsers/one"';

let place: Scene;
let user = "";
beforeEach(async () => {
	place = await scene(FILES);
	user = join(place.state, "user home");
	mkdirSync(user);
});

const log = () => join(place.state, "setup.log");
const setups = () =>
	existsSync(log()) ? readFileSync(log(), "utf8").trim().split("\n").length : 0;

interface RunOptions {
	readonly cold?: boolean;
	/** Path of the first check's report. */
	readonly report?: string;
	/** Nobody prepares the checkout for the second check. */
	readonly once?: boolean;
}

/** A checkout in a folder of its own, in which checks run after each other. */
function bench(setup: readonly string[] = SETUP) {
	const work = join(place.state, "task");
	const dir = join(work, "checks", "project-1a2b3c");
	const checkout = openCheckout(place.vault, { dir, indexFile: join(work, "index") });
	const env = {
		PATH: "/usr/local/bin:/usr/bin:/bin",
		HOME: user,
		XDG_RUNTIME_DIR: join(place.state, "run"),
		GOCACHE: join(place.state, "go"),
		LOG: log(),
	};
	const { signal } = new AbortController();
	const runAll = async (
		commit: string,
		runs: readonly string[],
		{ cold = false, report, once = false }: RunOptions = {},
	) => {
		const evidence = await runSuite(
			{
				place: {
					checkout,
					work,
					env,
					mark: `fresh-test-${process.pid}`,
					masker: noMasker,
					blobs: blobsInMemory(),
					outputs: "out",
					host: bareHost,
				},
				commit,
				tree: await treeOf(place.vault, commit),
				purpose: "turn",
				checks: runs.map((run, index) => ({
					name: `check-${index}`,
					kind: "lint",
					run,
					timeoutMs: 20_000,
					baseline: "new",
					...(report === undefined || index > 0
						? {}
						: { report: { format: "tap", path: report } as const }),
				})),
				setup,
				variant: "here",
				prepare: async (again) => {
					if (again && once) return { status: "pass", ran: false, reason: null, output: "", ms: 0 };
					return await setUpCheckout(
						{
							checkout,
							commit,
							commands: setup,
							key: "key",
							stateFile: join(work, "setup.key"),
							env,
							mark: `fresh-test-${process.pid}`,
							work,
							home: homeOf(dir),
							confines: false,
							masker: noMasker,
							timeoutMs: 20_000,
							force: cold && !again,
						},
						signal,
					);
				},
				setupChanged: false,
				baseline: new Map(),
				attempt: 0,
				onEvidence: () => Promise.resolve(),
			},
			signal,
		);
		return evidence.map(({ status, outputTail }) => `${status} ${outputTail}`.trim());
	};
	return { work, dir, runAll };
}

const commitOf = (text: string): string => {
	writeFiles(place.user, { "src/a.py": text });
	return commitAll(place.user);
};

const HIDDEN = [
	'"$HOME"',
	'"$HOME/.cache"',
	'"$HOME/.cache/browsers"',
	'"$XDG_CACHE_HOME"',
	'"$XDG_CONFIG_HOME"',
	'"$XDG_DATA_HOME"',
	'"$XDG_STATE_HOME/deep"',
	'"$XDG_RUNTIME_DIR"',
	'"$GOCACHE"',
	'"$TMPDIR"',
	'"$TMPDIR/cache"',
	'"$TMPDIR/.."',
	".",
	"src",
	"src/__pycache__",
	"cache",
	"node_modules",
	"node_modules/.cache",
	"node_modules/dep",
	".pytest_cache",
	".git",
	"..",
	"../home/..",
];

test.each(spread(HIDDEN, 1))(
	"what a check leaves in %s is seen by no later one",
	async (hidden) => {
		const leave = `if [ -e ${hidden}/answer ]; then echo found it; exit 1; fi; mkdir -p ${hidden}/answer && echo 5 > ${hidden}/answer/file`;
		for (const setup of [SETUP, []]) {
			const { runAll } = bench(setup);
			const twice = ["pass", "pass"];
			expect(await runAll(place.base, [leave, leave])).toEqual(twice);
			const next = commitOf(`a = ${setup.length}\n`);
			expect(await runAll(next, [leave, leave])).toEqual(twice);
			expect(await runAll(next, [leave, leave], { cold: true })).toEqual(twice);
		}
	},
);

const DAMAGES = [
	["written over", "echo 5 > node_modules/dep/index.js"],
	[
		"written over with size and time as before",
		"touch -r node_modules/dep/index.js t; echo 5 > node_modules/dep/index.js; touch -r t node_modules/dep/index.js; rm t",
	],
	["removed", "rm -r node_modules"],
	["replaced by a link", "rm -r node_modules; mkdir cache; ln -s cache node_modules"],
	["changed in the home", 'echo 5 > "$HOME/.cache/browsers/one"'],
	["removed with the home", 'rm -r "$HOME"'],
	["removed with the checkout", 'rm -rf "$PWD" || true'],
] as const;

test.each(spread(DAMAGES, 0))(
	"what the setup made is made again where it was %s",
	async (_what, damage) => {
		const { runAll } = bench();
		const checks = [MADE, damage, MADE];
		const [before, , after] = await runAll(place.base, checks);
		expect([before, after]).toEqual(["pass", "pass"]);
		expect(setups()).toBe(2);
		expect(await runAll(place.base, [MADE])).toEqual(["pass"]);
		expect(setups()).toBe(2);
	},
);

thorough("what a setup made stays, so it runs once for all checks of all commits", async () => {
	const { runAll } = bench();
	const own = 'mkdir -p cache node_modules/.cache && touch cache/x node_modules/.cache/x "$HOME/x"';
	for (const commit of [place.base, commitOf("a = 2\n"), commitOf("a = 3\n")]) {
		expect(await runAll(commit, [`${MADE} && ${own}`, MADE])).toEqual(["pass", "pass"]);
	}
	expect(setups()).toBe(1);
});

thorough(
	"what a setup makes and git does not ignore is there for the checks of the next commit, too",
	async () => {
		const { runAll } = bench(["mkdir tools && echo true > tools/check.sh", 'echo ran >> "$LOG"']);
		const runs = ["sh tools/check.sh"];
		expect(await runAll(commitOf("a = 2\n"), runs)).toEqual(["pass"]);
		expect(await runAll(commitOf("a = 3\n"), runs)).toEqual(["pass"]);
		expect(setups()).toBe(2);
	},
);

thorough("a setup that runs again finds nothing of the last one", async () => {
	const { runAll, work } = bench([
		'if [ -e cache/x ] || [ -e "$HOME/x" ]; then echo found it; exit 1; fi; mkdir -p cache; touch cache/x "$HOME/x"',
	]);
	expect(await runAll(place.base, ["test -e cache/x"])).toEqual(["pass"]);
	rmSync(join(work, "setup.key"));
	expect(await runAll(place.base, ["test -e cache/x"])).toEqual(["pass"]);
});

test("nothing is written into the user's home", async () => {
	const { runAll } = bench();
	writeFileSync(join(user, ".gitconfig"), "[user]\n\tname = Quentin\n[commit]\n\tgpgsign = true\n");
	writeFileSync(join(user, ".npmrc"), "registry=https://packages.test/\n");
	const reads =
		"git config --global --includes user.name && git config commit.gpgsign && cat ~/.npmrc && git config --global user.name Other && echo x >> ~/.npmrc";
	const said = "pass Quentin\nfalse\nregistry=https://packages.test/";
	expect(await runAll(place.base, [reads, reads])).toEqual([said, said]);
	expect(readFileSync(join(user, ".gitconfig"), "utf8")).toContain("Quentin");
});

thorough(
	"a setup finds the user's configuration, of which nothing is kept but what it changed itself",
	async () => {
		writeFileSync(join(user, ".npmrc"), "registry=https://packages.test/\n");
		writeFileSync(join(user, ".netrc"), "machine packages.test\n");
		const { runAll, dir } = bench(["grep -q packages ~/.npmrc ~/.netrc && echo more >> ~/.netrc"]);
		expect(await runAll(place.base, ["tail -n 1 ~/.netrc"])).toEqual(["pass more"]);
		expect(readdirSync(homeOf(dir))).toEqual([".netrc"]);
		expect(readFileSync(join(user, ".netrc"), "utf8")).toBe("machine packages.test\n");
	},
);

test.each([
	["changes", "echo 'a = 3' > src/a.py"],
	["takes away", "rm src/a.py"],
])(
	"a check sees the commit where another one %s a file, though nobody prepares it again",
	async (_what, first) => {
		const { runAll } = bench([]);
		const commit = commitOf("a = 2\n");
		const runs = [first, "grep -qx 'a = 2' src/a.py && git diff --quiet HEAD"];
		const [, second] = await runAll(commit, runs, { once: true });
		expect(second).toBe("pass");
	},
);

test("a tracked report at the top is there again after the run that wrote it", async () => {
	const { runAll } = bench([]);
	writeFiles(place.user, { "r.tap": "1..1\nok 1 - a\n" });
	const commit = commitOf("a = 2\n");
	const writes = "printf '1..1\\nok 1 - a\\n' > r.tap";
	for (const first of [writes, `${writes}; echo 1 >> src/a.py`, "echo 1 >> r.tap"]) {
		const runs = [first, "grep -qx 'ok 1 - a' r.tap && git diff --quiet HEAD"];
		const [, second] = await runAll(commit, runs, { once: true, report: "r.tap" });
		expect(second, first).toBe("pass");
	}
});

test.each([
	["r.tap", false],
	["out/r.tap", false],
	["src/a.py", true],
])(
	"beside a file that a run changed its report does not stay, and what is the commit's does: %s",
	async (report, stays) => {
		const { dir, runAll } = bench([]);
		const commit = commitOf("a = 2\n");
		const tap = "printf 'TAP version 13\\n1..1\\nok 1 - a\\n'";
		const writes = `echo 1 >> src/a.py; mkdir -p out; ${tap} > ${report}`;
		const [said] = await runAll(commit, [writes], { report });
		expect(said).toMatch(stays ? /^pass/ : /^error/);
		expect(existsSync(join(dir, report))).toBe(stays);
	},
);
