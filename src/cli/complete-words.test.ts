import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../test/support/repository.ts";
import { type KnownIds, knownIds } from "../places/known-ids.ts";
import { REPORT_FORMATS } from "../words/report/formats.ts";
import { completionScript, SHELLS } from "./commands/completion.ts";
import { completeWords } from "./complete-words.ts";
import { fakeShell, spar } from "./fakes.contract.ts";
import { CHECK_FORMATS } from "./terminal/check-formats.ts";

const IDS: KnownIds = {
	runs: ["20261122-101112-new0", "20261121-101112-old0"],
	tasks: ["limiter", "docs"],
	workflowTasks: ["limiter", "later"],
	items: ["h1"],
};

/** What is offered for the last word, and the line that says whether files are words too. */
async function offered(line: string): Promise<string[]> {
	const answer = await completeWords(line.split(" "), fakeShell(), IDS);
	return answer
		.trimEnd()
		.split("\n")
		.map((each) => each.split("\t")[0] ?? "");
}

test.each([
	["tr", ["trace", ":4"]],
	["trace ", ["limiter", "docs", ":4"]],
	["trace d", ["docs", ":4"]],
	["trace limiter --run ", ["20261122-101112-new0", "20261121-101112-old0", ":4"]],
	["status 20261121", ["20261121-101112-old0", ":4"]],
	["run --task-id ", ["limiter", "later", ":4"]],
	["approve --verify l", ["limiter", "later", ":4"]],
	["hil r", ["resolve", "reject", ":4"]],
	["hil show ", ["h1", ":4"]],
	["hil resolve h1 --take ", ["player", "coach", ":4"]],
	["logs limiter --role ver", ["verifier", ":4"]],
	["report --format s", ["sarif", ":4"]],
	["check --format s", ["sarif", ":4"]],
	["completion ", ["bash", "zsh", "fish", ":4"]],
	["run --dry", ["--dry-run", ":0"]],
	["validate ", [":0"]],
	["run --record ", [":0"]],
	["nothing ", [":4"]],
])("`spar %s` offers %j", async (line, words) => {
	expect(await offered(line)).toEqual(words);
});

test("every format of a report is offered", async () => {
	expect(await offered("report --format ")).toEqual([...Object.keys(REPORT_FORMATS), ":4"]);
});

test("every format of a check is offered, and no other", async () => {
	expect(await offered("check --format ")).toEqual([...Object.keys(CHECK_FORMATS).sort(), ":4"]);
});

test("every command is offered with what it does", async () => {
	const answer = await completeWords([""], fakeShell(), IDS);
	expect(answer).toContain("land\tbring the integration branch into the base branch\n");
	expect(answer.split("\n").length).toBeGreaterThan(20);
});

test("outside of a repository nothing is said but commands, and no error", async () => {
	const { code, out, err } = await spar(["complete", "--", "stat"], { directory: "/nowhere" });
	expect([code, out, err]).toEqual([0, "status\tshow where a run stands\n:4\n", ""]);
});

test("a repository without runs, whose workflow is half written, gets no state by being asked", async () => {
	const repo = repository({ files: { "sparring.yaml": "tasks:\n  one: {\n  two" } });
	const ids = await knownIds({ directory: repo.root, env: repo.env });
	expect(ids).toMatchObject({ runs: [], tasks: [], items: [] });
	expect(existsSync(join(repo.root, ".sparring"))).toBe(false);
	repo.remove();
});

test("what bash would run is not offered: a workflow file may be anybody's", async () => {
	const repo = repository({
		files: {
			"sparring.yaml": 'tasks:\n  good-1: {}\n  "$(touch pwned)": {}\n  "`x`": {}\n  "-rf": {}\n',
		},
	});
	const { workflowTasks } = await knownIds({ directory: repo.root, env: repo.env });
	expect(workflowTasks).toEqual(["good-1"]);
	repo.remove();
});

test("an unreadable database is no reason to speak", async () => {
	const repo = repository({ files: { ".sparring/sparring.db": "no database" } });
	const { code, out, err } = await spar(["complete", "--", "trace", ""], { directory: repo.root });
	expect([code, out, err]).toEqual([0, "", ""]);
	repo.remove();
});

test.each(SHELLS)("the script for %s asks spar", (name) => {
	expect(completionScript(name)).toContain("spar complete --");
});

test("bash reads the script twice without a word, and runs nothing that was typed", () => {
	const test = `
		spar() { printf '%s|' "$@" >&2; printf 'limiter\\t\\n:4\\n'; }
		compopt() { :; }
		eval "$1"; eval "$1"
		COMP_WORDS=(spar trace '$(echo run >&2)' '') COMP_CWORD=3
		__spar_complete 2>&1
		echo "\${COMPREPLY[@]}"`;
	const shown = spawnSync("bash", ["--norc", "-c", test, "bash", completionScript("bash")], {
		encoding: "utf8",
		env: { PATH: process.env["PATH"] },
	});
	expect([shown.stdout, shown.stderr]).toEqual(["limiter\n", ""]);
});
