import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVAL, type Play, type Stage, stage, TESTS } from "../acceptance/stage.ts";
import { PROGRAM } from "../support/program.ts";
import { USER_HOME } from "../support/user-home.ts";

const shell = (script: string) => ({ adapter: "command", run: ["sh", "-c", script] });

const WORKS = "echo done > work.txt";
const JUDGES = `printf '%s' '${JSON.stringify(APPROVAL)}' > "$SPAR_REPORT"`;

/** Tries to write wherever a run keeps something, and notes in its own work where it could. */
const INTRUDES = `
for place in "$HOME/planted" "$HOME/project/planted" "$HOME/project/.git/planted" \\
	"$HOME/project/.sparring/sparring.db" "$HOME/project/.sparring/planted" \\
	"$PWD/../../coach/planted" "$PWD/../../checks/planted" "$PWD/../planted"; do
	if (echo x >> "$place") 2>/dev/null; then echo "$place" >> intrusions.txt; fi
done
${WORKS}`;

function confined(mode: "auto" | "required", play: Partial<Play> = {}, player = WORKS): Stage {
	return stage({
		steps: [],
		...play,
		workflow: {
			...play.workflow,
			agents: { dev: shell(player), coach: shell(JUDGES) },
			sandbox: mode,
		},
	});
}

test("a run with sandbox: required ends merged, and its agents, setup and checks wrote nowhere else", async () => {
	const intrude = `(echo x > "${USER_HOME}/planted") 2>/dev/null`;
	const { run, repo } = confined(
		"required",
		{
			workflow: {
				setup: [`${intrude}; echo kept > setup.log`],
				checks: { tests: { ...TESTS, run: `${intrude}; sh check.sh` } },
			},
			files: { ".gitignore": "setup.log\n" },
		},
		INTRUDES,
	);
	const { code, task, report, stderr } = await run();
	expect({ code, merged: task.merged }, stderr).toEqual({ code: 0, merged: true });
	const files = repo.git("ls-tree", "--name-only", report.branch).split("\n");
	expect(files).toContain("work.txt");
	expect(files).not.toContain("intrusions.txt");
	expect(existsSync(join(repo.home, "planted"))).toBe(false);
	expect(repo.git("status", "--porcelain")).toBe("");
	expect(task.challenger_approved).toBe(true);
});

test("the same intrusions succeed without a sandbox, so that the test above can fail", async () => {
	const made = stage({
		steps: [],
		workflow: { agents: { dev: shell(INTRUDES), coach: shell(JUDGES) } },
	});
	const { report } = await made.run();
	const branch = Object.values(report.tasks)[0]?.branch ?? "";
	expect(made.repo.git("show", `${branch}:intrusions.txt`)).toContain("/planted");
});

/** A directory with what a run needs, and nothing that confines. */
function toolsWithoutSandbox(home: string): string {
	const tools = join(home, "tools");
	mkdirSync(tools);
	for (const name of ["git", "sh", "node", "cat", "grep", "find"]) {
		const found = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
		symlinkSync(name === "node" ? process.execPath : found, join(tools, name));
	}
	return tools;
}

test("where there is no sandbox, required refuses before anything is created, and auto says so and goes on", async () => {
	const { spar, repo, rewrite } = confined("required");
	const env = { PATH: toolsWithoutSandbox(repo.home) };
	const refused = await spar(["run"], { env });
	expect(refused.code).toBe(2);
	expect(refused.stderr).toMatch(/requires a sandbox, and there is none here: .*bwrap/);
	expect(existsSync(join(repo.root, ".sparring"))).toBe(false);
	rewrite({ sandbox: "auto" });
	repo.commit("Without force");
	const ran = await spar(["run", "--json"], { env });
	expect(ran.code, ran.stderr).toBe(0);
	expect(ran.stderr).toMatch(/no sandbox here .*run with your own rights/);
});

test("the program of the package opens the same sandbox as its source", () => {
	expect(PROGRAM).toMatch(/main\.js$/);
	const { repo } = confined("auto");
	const { stdout } = spawnSync(process.execPath, [PROGRAM, "doctor", "--json"], {
		cwd: repo.root,
		encoding: "utf8",
	});
	const found = (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === "sandbox");
	expect(found).toMatchObject({ ok: true, fix: null });
});
