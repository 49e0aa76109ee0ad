import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Files, movedTo, repository, type TestRepository } from "../support/repository.ts";
import { pair, workflow } from "../support/workflow.ts";

const CRITERION = "the file is there";
/** A turn or a call beyond these has no recorded answer. */
const MOST_TURNS = 8;
const MOST_CALLS = 8;

export const TASKS = ["one", "two"] as const;

export const FILES: Files = {
	"check.sh": "ls base-*.txt >/dev/null && printf 'TAP version 13\\n1..1\\nok 1 - whole\\n'\n",
	"base-a.txt": "a\n",
	"base-b.txt": "b\n",
	"src/c.txt": "c\n",
	"src/d.txt": "d\n",
};

function recordedCalls(): string {
	const lines: string[] = [];
	for (const task of TASKS) {
		for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
			for (let call = 1; call <= MOST_CALLS; call += 1) {
				const about = { task, subtask: null, turn, call, outcome: "answered", output: "", ms: 1 };
				const files = { [`${task}.txt`]: `${task}\n` };
				const player = { role: "player", agent: "dev", report: { files_created: [] }, files };
				const statement = { criterion: CRITERION, met: true, evidence: "seen" };
				const report = { decision: "approve", rationale: "", requirements_status: [statement] };
				const coach = { role: "coach", agent: "coach", report, files: {} };
				lines.push(JSON.stringify({ ...about, usage: null, ...player }));
				lines.push(JSON.stringify({ ...about, usage: null, ...coach }));
			}
		}
	}
	return `${lines.join("\n")}\n`;
}

/** A user's repository with two tasks to do, whose agents' answers are recorded. */
export function world(): TestRepository {
	const repo = repository({ files: FILES });
	repo.write({ "../calls.jsonl": recordedCalls() });
	const agent = { adapter: "cassette", file: "../calls.jsonl" };
	const task = (id: string) => ({
		agent: "dev",
		description: `Write ${id}.txt.`,
		acceptance_criteria: [CRITERION],
		max_turns: 6,
		overlays: pair(),
	});
	repo.write({
		"sparring.yaml": workflow({
			agents: { dev: agent, coach: agent },
			checks: { tests: { kind: "acceptance", run: "sh check.sh", timeout: "60s" } },
			human: { enabled: false },
			tasks: { one: task("one"), two: { ...task("two"), depends_on: ["one"] } },
		}),
	});
	repo.commit("Workflow");
	return repo;
}

/** The same repository under the name that it has now: one of the faults moves it. */
export function whereItStands(repo: TestRepository): TestRepository {
	const moved = join(repo.home, "moved");
	return existsSync(repo.root) || !existsSync(moved) ? repo : movedTo(repo, moved);
}

/** Names and contents of the work tree of a commit. */
export function filesOf(repo: TestRepository, revision: string): Readonly<Record<string, string>> {
	const names = repo.git("ls-tree", "-r", "--name-only", revision).split("\n");
	return Object.fromEntries(
		names
			.filter((name) => name !== "")
			.map((name) => [name, repo.git("show", `${revision}:${name}`)]),
	);
}

/** Leftover locks and temporary files in the repository's git directory. */
export function leftovers(repo: TestRepository): string[] {
	return readdirSync(join(repo.root, ".git"), { recursive: true, encoding: "utf8" }).filter(
		(name) => name.endsWith(".lock") || /(^|\/)tmp_obj_/.test(name),
	);
}

export function textOf(path: string): string {
	return existsSync(path) ? readFileSync(path, "utf8") : "";
}
