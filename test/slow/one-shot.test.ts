import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { APPROVES, type Stage, scratch, stage, WORKS } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { spar } from "../support/spar.ts";

/** Programs named like the harnesses: Claude Code adds a file, Codex approves, both in their own words. */
const CLAUDE = `cat > /dev/null
echo "$*" >> "$HOME/claude.args"
echo work > work.txt
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"Done.","structured_output":{"implementation_notes":"did it"},"total_cost_usd":0.25,"num_turns":1,"usage":{"input_tokens":1,"output_tokens":1},"modelUsage":{}}'`;
const APPROVAL = JSON.stringify({ decision: "approve", rationale: "ok", requirements_status: [] });
const CODEX = `cat > /dev/null
echo '{"type":"thread.started","thread_id":"t"}'
echo '${JSON.stringify({ type: "item.completed", item: { id: "i", type: "agent_message", text: APPROVAL } })}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`;

interface Fresh {
	readonly repo: ReturnType<typeof scratch>;
	readonly shot: (...args: readonly string[]) => ReturnType<typeof spar>;
}

/** A project that never heard of Sparring, and these programs first on the PATH. */
function fresh(
	programs: Readonly<Record<string, string>> = { claude: CLAUDE, codex: CODEX },
	files: Readonly<Record<string, string>> = {
		"package.json": '{ "scripts": { "test": "node --test" } }\n',
		"base.test.js": 'require("node:test")("base", () => {});\n',
	},
): Fresh {
	const repo = scratch();
	repo.write(files);
	repo.commit("First");
	const bin = join(repo.home, "bin");
	mkdirSync(bin);
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(bin, name), 0o755);
	}
	const env = { PATH: [bin, repo.env["PATH"] ?? ""].join(delimiter) };
	return { repo, shot: (...args) => spar(repo, args, { env }) };
}

describe("a project without a workflow file", () => {
	test("one command leads to landed work, and writes nothing else into the checkout", async () => {
		const { repo, shot } = fresh();
		const { code, stderr, stdout } = await shot("Add a file of work", "--land");
		expect(code, stderr).toBe(0);
		expect(stderr.split("\n").slice(0, 3)).toEqual([
			"no sparring.yaml: this run uses what spar init would write, and saves nothing (--save does)",
			"player claude, coach codex, up to 10 turns",
			"no setup; checks: tests npm test; sandbox auto",
		]);
		expect(stderr).toMatch(/\nlanded \S+ on main at /);
		expect(stderr).toMatch(/\nmerged {2,}/);
		expect(stdout).not.toContain("next:");
		expect(repo.git("log", "-1", "--format=%s")).toBe("Add a file of work");
		expect(repo.read("work.txt")).toBe("work\n");
		expect(repo.git("status", "--porcelain")).toBe("");
		expect(repo.read("sparring.yaml")).toBeUndefined();
	});

	test("--save writes what was used; nothing is written before it loads", async () => {
		const { repo, shot } = fresh();
		const typo = await shot("Add a file", "--save", "--coach", "codx");
		expect([typo.code, typo.stderr]).toEqual([
			2,
			expect.stringContaining('--coach:1:1 unknown agent "codx"\n    did you mean "codex"?'),
		]);
		expect(repo.read("sparring.yaml")).toBeUndefined();
		const wishes = ["--player", "codex", "--command", "sh t.sh", "--criterion", "it is there"];
		const { stdout } = await shot("Add a file", ...wishes, "--dry-run", "--save");
		expect(stdout).toMatch(/add-a-file +codex +claude/);
		expect(repo.read("sparring.yaml")).toBeUndefined();
		await shot("Add a file", ...wishes, "--save", "--max-turns", "1");
		expect(repo.read("sparring.yaml")?.split("\n").slice(2)).toEqual([
			"version: 1",
			"player: codex",
			"coach: claude",
			"sandbox: auto",
			"checks:",
			'  tests: "sh t.sh"',
			"tasks:",
			'  add-a-file: {"description":"Add a file","acceptance_criteria":["it is there"]}',
			"",
		]);
		const again = await shot("Add a file", "--save");
		expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
	});

	test("what each preset and option means is in the plan", async () => {
		const { repo, shot } = fresh({ claude: CLAUDE });
		const plan = async (...args: readonly string[]) =>
			(await shot("Do it well", "--dry-run", ...args)).stdout;
		expect(await plan()).toMatch(/do-it-well +claude +reviewer +\S.* 10 /);
		expect(await plan("--preset", "quick")).toMatch(/do-it-well +claude +- +\S.* 3 /);
		expect(await plan("--coach", "none")).toMatch(/do-it-well +claude +- +\S.* 10 /);
		expect(await plan("--preset", "strict")).toMatch(/do-it-well +claude +reviewer +reviewer/);
		const turned = await shot("--preset", "quick", "--dry-run", "Do it well");
		expect(turned.stdout, "options may come first").toMatch(/do-it-well +claude +- +\S.* 3 /);
		const { code, stderr } = await shot("Do it", "--preset", "fast");
		expect([code, stderr]).toEqual([2, expect.stringContaining("quick, pair, strict")]);
		expect(repo.read(".sparring/sparring.db")).toBeUndefined();
	});

	test("what setup fills and git does not ignore is told of", async () => {
		const files = {
			"package.json": '{ "scripts": { "test": "jest" } }',
			"package-lock.json": "{}",
		};
		const { stderr } = await fresh({ claude: CLAUDE }, files).shot("Do it", "--dry-run");
		expect(stderr).toMatch(/^note: add node_modules to \.gitignore/);
	});

	test("the model is the player's", async () => {
		const { repo, shot } = fresh();
		const { code, stderr } = await shot("Do it", "--model", "opus-9", "--preset", "quick");
		expect(code, stderr).toBe(0);
		expect(repo.read("../claude.args")).toContain("opus-9");
	});

	test("an issue is a task, unless a stranger wrote it", async () => {
		const view = {
			number: 7,
			title: "Add a file",
			body: "Of work.",
			url: "https://github.com/a/b/issues/7",
		};
		const gh = (role: string): string =>
			`case "$1" in issue) echo '${JSON.stringify(view)}';; *) echo '{"author_association":"${role}"}';; esac`;
		const ours = await fresh({ claude: CLAUDE, gh: gh("OWNER") }).shot("run", "#7", "--dry-run");
		expect(ours.stdout).toMatch(/issue-7-add-a-file +claude/);
		const theirs = fresh({ claude: CLAUDE, gh: gh("NONE") });
		const refused = await theirs.shot("#7", "--dry-run");
		expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--trust-author")]);
		const address = [view.url, "--dry-run", "--trust-author"];
		expect((await theirs.shot(...address)).code).toBe(0);
	});

	/** A fake of a forge's program; it answers by its second word, and keeps what it is told to write. */
	const forge = (name: "gh" | "glab", comment: string): string => {
		const issue =
			name === "gh"
				? { number: 7, title: "Add a file", url: "https://github.com/a/b/issues/7" }
				: { iid: 7, title: "Add a file", project_id: 1, author: { id: 2 } };
		return `echo "$1 $2 $3 $4" >> "$HOME/forge.calls"
case "$1 $2" in
"issue view") echo '${JSON.stringify(issue)}';;
"issue comment"|"issue note") ${comment};;
*) echo '{"author_association":"OWNER"}';;
esac`;
	};

	test("with --comment the result goes back to the issue", async () => {
		const gh = forge("gh", 'cat > "$HOME/comment.md"');
		const { repo, shot } = fresh({ claude: CLAUDE, codex: CODEX, gh });
		const { code, stderr } = await shot("#7", "--comment", "--preset", "quick");
		expect(code, stderr).toBe(0);
		expect(stderr).toMatch(/\ncommented on issue 7\n$/);
		expect(repo.read("../comment.md")).toMatch(/^## .*: completed\n/);
		expect(repo.read("../comment.md")).toContain("issue-7-add-a-file");
		expect(repo.read("../forge.calls")).toMatch(/\nissue comment 7 --body-file\n$/);
	});

	test("a comment that cannot be written changes nothing of the result", async () => {
		const gh = forge("gh", "echo 'HTTP 403' >&2; exit 1");
		const { shot } = fresh({ claude: CLAUDE, codex: CODEX, gh });
		const quick = ["--preset", "quick"];
		const { code, stderr, stdout } = await shot("#7", "--comment", "--json", ...quick);
		expect(code, stderr).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
		expect(stderr).toContain("note: the result could not be written to issue 7: HTTP 403\n");
	});

	thorough("glab writes it likewise, also for a task that failed", async () => {
		const glab = forge("glab", 'printf %s "$5" > "$HOME/comment.md"');
		const claude = CLAUDE.replace("echo work > work.txt\n", "");
		const { repo, shot } = fresh({ claude, glab });
		repo.write({ "sparring.yaml": "version: 1\nplayer: claude\nhuman: { enabled: false }\n" });
		const { code, stderr } = await shot("#7", "--comment", "--max-turns", "1");
		expect(code, stderr).toBe(1);
		expect(stderr).toMatch(/\ncommented on issue 7\n$/);
		expect(repo.read("../comment.md")).toMatch(/^## .*: failed\n/);
		expect(repo.read("../forge.calls")).toMatch(/\nissue note 7 --message\n$/);
	});

	test("--comment needs an issue, and the end of the run", async () => {
		const { repo, shot } = fresh({ claude: CLAUDE, gh: forge("gh", "exit 1") });
		const words = await shot("Add a file", "--comment");
		expect([words.code, words.stderr]).toEqual([
			2,
			expect.stringContaining("spar '#12' --comment"),
		]);
		const detached = await shot("#7", "--comment", "--detach");
		expect([detached.code, detached.stderr]).toEqual([
			2,
			expect.stringContaining("--comment wait"),
		]);
		await shot("#7", "--comment", "--dry-run");
		expect(repo.read("../forge.calls")).not.toContain("issue comment");
	});

	test("without an agent it says which there are", async () => {
		const { shot } = fresh({});
		const { code, stderr } = await shot("Do it");
		expect(code).toBe(2);
		expect(stderr).toContain("no coding agent is on the PATH");
		expect(stderr).toContain("Install one of claude, codex, gemini, opencode");
	});
});

describe("a project with a workflow file", () => {
	const begun = (): Stage =>
		stage({ steps: [WORKS, { ...APPROVES, report: { decision: "approve", rationale: "ok" } }] });

	test("lends its agents, checks and seats", async () => {
		const set = begun();
		const { code, stdout, stderr } = await set.spar(["Do more work", "--json"]);
		expect(code, stderr).toBe(0);
		expect(stderr).not.toContain("no sparring.yaml");
		expect(JSON.parse(stdout)).toMatchObject({
			tasks: { "do-more-work": { success: true, merged: true, challenger_approved: true } },
		});
	});

	thorough("whose wishes come before its own", async () => {
		const set = begun();
		const { code, stdout } = await set.spar([
			"run",
			"Do more work",
			"--coach",
			"none",
			"--command",
			"sh check.sh",
			"--json",
		]);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			tasks: { "do-more-work": { merged: true, challenger_approved: null } },
		});
		const wrong = await set.spar(["Do more work", "--model", "m"]);
		expect([wrong.code, wrong.stderr]).toEqual([
			2,
			expect.stringContaining('--model:1:1 unknown key "model"'),
		]);
	});

	test("a word is a command or a file, wishes are for words", async () => {
		const set = begun();
		const word = await set.spar(["statsu"]);
		expect([word.code, word.stderr]).toEqual([2, expect.stringContaining("Did you mean status?")]);
		const file = await set.spar(["run", "limiter"]);
		expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("no workflow file")]);
		const wish = await set.spar(["run", "--player", "dev"]);
		expect([wish.code, wish.stderr]).toEqual([
			2,
			expect.stringContaining("--player: for a task in words"),
		]);
		rmSync(join(set.repo.root, "sparring.yaml"));
		set.repo.write({ "my flow.yaml": "version: 2\n" });
		const spaced = await set.spar(["run", "my flow.yaml"]);
		expect([spaced.code, spaced.stderr]).toEqual([2, expect.stringContaining("version must be 1")]);
	});
});
