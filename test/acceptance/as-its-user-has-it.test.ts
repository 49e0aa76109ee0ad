import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import type { Step } from "../support/scripted-agents.ts";
import { USER_HOME } from "../support/user-home.ts";
import { waitFor } from "./crew.ts";
import { APPROVAL, APPROVES, CRITERION, dataOf, type Stage, stage, TAP_OK } from "./stage.ts";

/** What asks git for tags and for the base's names, as release tools and tools for what changed do. */
const ASKS = [
	"git describe --tags",
	"git merge-base origin/main HEAD",
	"git diff --name-only origin/main...HEAD",
	"git log --format=%s main..HEAD",
	"git symbolic-ref refs/remotes/origin/HEAD",
].join(" && ");

const noted = (name: string, run = ASKS): string => `(${run}) >> "$HOME/${name}" 2>&1`;

/** The check runs these lines first, and fails with them. */
const checking = (...lines: readonly string[]) => ({
	"check.sh": ["set -e", ...lines, "cat results.tap", "! grep -q '^not ok' results.tap", ""].join(
		"\n",
	),
	"results.tap": TAP_OK,
});

test("checks, player and coach see the project's tags and the base's names", async () => {
	const set = stage({
		files: checking(noted("checks").replace("$HOME", USER_HOME)),
		steps: [
			{ role: "player", run: `${noted("player")}; echo work > work.txt` },
			{ role: "coach", run: noted("coach"), report: APPROVAL },
		],
	});
	const { repo } = set;
	repo.git("tag", "v1.2.3");
	repo.git("update-ref", "refs/remotes/origin/main", "HEAD");
	repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
	repo.git("branch", "other");
	const base = repo.git("rev-parse", "HEAD");
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	expect(set.kept("player").split("\n").slice(0, 2)).toEqual(["v1.2.3", base]);
	for (const name of ["checks", "coach"]) {
		expect(set.kept(name)).toMatch(/^v1\.2\.3-1-g[0-9a-f]+$/m);
		expect(set.kept(name)).not.toContain("fatal");
	}
	expect(set.kept("coach")).toContain("work.txt");
});

thorough("a linter may read what the base's tests were, a test may not", async () => {
	const asks = "git grep -q expected main -- test";
	const set = stage({
		files: { ...checking(`! ${asks}`, "git diff --exit-code"), "test/a.txt": "expected\n" },
		steps: [{ role: "player", run: "echo work > work.txt" }, APPROVES],
		workflow: {
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh" },
				lint: {
					kind: "lint",
					run: `${asks} && git diff --stat main HEAD && git diff --check main`,
				},
			},
		},
	});
	const { code, stderr } = await set.run();
	expect(code, stderr).toBe(0);
	const ran = dataOf(set.trace(), "check-ran").filter(({ purpose }) => purpose === "turn");
	const found = ran.map(({ check, status }) => `${String(check)} ${String(status)}`);
	expect(found).toEqual(expect.arrayContaining(["tests pass", "lint pass"]));
});

/** A stage whose check needs a submodule, which was added to the user's repository. */
function withSubmodule(steps: readonly Step[]): Stage {
	const setup = ["git -c protocol.file.allow=always submodule update --init --recursive"];
	const set = stage({
		files: checking("grep -q k vendor/lib/k.txt", "git status --short"),
		steps,
		workflow: { setup },
	});
	const { repo } = set;
	const library = join(repo.home, "library");
	mkdirSync(library);
	const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
	const inLibrary = (...args: string[]) => repo.git("-C", library, ...who, ...args);
	inLibrary("init", "-q");
	repo.write({ "../library/k.txt": "k\n" });
	inLibrary("add", "-A");
	inLibrary("commit", "-qm", "library");
	const add = ["submodule", "--quiet", "add", library, "vendor/lib"];
	repo.git("-c", "protocol.file.allow=always", ...add);
	repo.commit("With a submodule");
	return set;
}

const SPOILS: Step = { role: "player", run: "echo work > work.txt; echo x > vendor/lib/k.txt" };

thorough(
	"a submodule is filled from the user's repository, and what a player does in it is no part of the work",
	async () => {
		const set = withSubmodule([SPOILS, APPROVES]);
		rmSync(join(set.repo.home, "library"), { recursive: true });
		const { code, stderr, report } = await set.run();
		expect(code, stderr).toBe(0);
		expect(stderr).not.toContain("submodule");
		expect(set.repo.git("diff", "--name-only", "HEAD", report.branch)).toBe("work.txt");
	},
);

thorough(
	"a submodule that the user's repository does not have is named, and a setup may fetch it",
	async () => {
		const set = withSubmodule([SPOILS, APPROVES]);
		set.repo.git("submodule", "--quiet", "deinit", "--all");
		rmSync(join(set.repo.root, ".git/modules"), { recursive: true });
		const { code, stderr, report } = await set.run();
		expect(code, stderr).toBe(0);
		expect(stderr).toContain("the submodule vendor/lib is empty in the run's checkouts");
		expect(set.repo.git("diff", "--name-only", "HEAD", report.branch)).toBe("work.txt");
	},
);

thorough(
	"two tasks that change a file whose lines the project does not let merge conflict, far apart too",
	async () => {
		const lines = Array.from({ length: 40 }, (_, nth) => `${nth}\n`).join("");
		const change = (task: string, other: string, line: number): Step => ({
			role: "player",
			task,
			turn: 1,
			run: [
				`touch "$HOME/at.${task}"`,
				waitFor(`at.${other}`),
				`sed -i 's/^${line}$/${line} ${task}/' generated.lock`,
			].join("\n"),
		});
		const task = {
			agent: "dev",
			description: "Do the work.",
			acceptance_criteria: [CRITERION],
			max_turns: 1,
			allow: [{ path: "generated.lock", change: "edit", reason: "it is written anew" }],
		};
		const set = stage({
			files: { ".gitattributes": "*.lock -merge\n", "generated.lock": lines },
			steps: [
				change("one", "two", 3),
				change("two", "one", 30),
				{ role: "player", run: "sed -i 's/^20$/20 both/' generated.lock" },
			],
			workflow: { max_parallel: 2, tasks: { one: task, two: task } },
		});
		const { code, stderr, report } = await set.run();
		expect(code, stderr).toBe(0);
		expect(stderr).toMatch(/does not merge cleanly.*generated\.lock/);
		const merged = set.repo.git("show", `${report.branch}:generated.lock`);
		expect(merged.match(/ (one|two)$/gm)).toHaveLength(1);
	},
);
