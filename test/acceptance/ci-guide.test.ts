import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { processShell } from "../../src/cli/process-shell.ts";
import { buildProgram } from "../../src/cli/program.ts";
import type { CliCommand } from "../../src/cli/terminal/command.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";
import { thorough } from "../support/amount.ts";
import { PROGRAM } from "../support/program.ts";
import { repository, type TestRepository } from "../support/repository.ts";

const PAGE = readFileSync("docs/user-guide/ci.md", "utf8");
const [EXCERPT = "", ACTIONS = ""] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)].map(
	([, text = ""]) => text,
);

const step = z.strictObject({
	name: z.string().optional(),
	id: z.string().optional(),
	if: z.string().optional(),
	uses: z.string().optional(),
	with: z.record(z.string(), z.unknown()).optional(),
	env: z.record(z.string(), z.string()).optional(),
	run: z.string().optional(),
	"continue-on-error": z.boolean().optional(),
});
const actions = z.strictObject({
	name: z.string(),
	on: z.literal("workflow_dispatch"),
	permissions: z.record(z.string(), z.enum(["read", "write"])),
	jobs: z.strictObject({
		spar: z.strictObject({
			"runs-on": z.string(),
			"timeout-minutes": z.int(),
			steps: z.array(step),
		}),
	}),
});

const STEPS = actions.parse(parse(ACTIONS)).jobs.spar.steps;

const runOf = (name: string): string => STEPS.find((each) => each.name === name)?.run ?? "";

/** The command of a command line, and the words that it does not take. */
async function strayWords(
	line: string,
): Promise<{ readonly command: string; readonly stray: string[] }> {
	const [name = "", ...words] = line.split(/\s+/);
	const shell = processShell();
	const program = buildProgram(shell, () => undefined);
	const command = program.commands.find((each) => each.name() === name);
	if (command === undefined) return { command: name, stray: [name] };
	const file: unknown = await import(`../../src/cli/commands/${name}.ts`);
	// Every file of the folder exports its command so: run-cli.test.ts.
	(file as { readonly command: CliCommand }).command.define(command, shell, () => undefined);
	return { command: name, stray: strayIn(command, words) };
}

function strayIn(command: Command, words: readonly string[]): string[] {
	const { operands, unknown } = command.parseOptions([...words]);
	return [...unknown, ...operands.slice(command.registeredArguments.length)];
}

/** The `spar` command lines of shell scripts, up to what the shell makes of them. */
const sparLines = (scripts: readonly string[]): string[] =>
	scripts.flatMap((script) =>
		[...script.matchAll(/^\s*spar (.*)$/gm)].map(([, line = ""]) =>
			(line.split(/ (?:\|\||&&|>)/)[0] ?? "").trim(),
		),
	);

test("the workflow of the guide asks for the rights, the history and the Node.js that it needs", () => {
	const { permissions } = actions.parse(parse(ACTIONS));
	expect(permissions).toEqual({
		contents: "write",
		"pull-requests": "write",
		"security-events": "write",
	});
	const used = (action: string): unknown =>
		STEPS.find(({ uses }) => uses?.startsWith(`${action}@`) === true)?.with;
	expect(used("actions/checkout")).toEqual({
		"fetch-depth": 0,
		"persist-credentials": false,
	});
	expect(used("actions/setup-node")).toEqual({ "node-version": 24 });
	expect(used("github/codeql-action/upload-sarif")).toEqual({
		sarif_file: "sparring-report/findings.sarif",
	});
	// A secret stands in the environment of the one step that needs it, and in no script.
	const having = (what: string): (string | undefined)[] =>
		STEPS.filter((each) => JSON.stringify(each).includes(what)).map(({ name }) => name);
	expect(having("secrets.")).toEqual(["Run"]);
	expect(having("github.token")).toEqual(["Pull request"]);
	expect(STEPS.filter(({ run = "" }) => /secrets\.|github\.event/.test(run))).toEqual([]);
});

test("every command line in the guide's workflow is one that the program takes", async () => {
	const lines = sparLines(STEPS.map(({ run = "" }) => run));
	expect(lines).toHaveLength(5);
	for (const line of lines) expect((await strayWords(line)).stray, line).toEqual([]);
	expect((await strayWords("report --formt junit")).stray).toEqual(["--formt", "junit"]);
	expect((await strayWords("land one two")).stray).toEqual(["two"]);
});

test("the keys of the workflow file that the guide shows are known", () => {
	const content = `${EXCERPT}\nversion: 1\nname: x\ntasks: { a: { agent: dev, description: A. } }\n`;
	const { errors } = loadWorkflow({ content, file: "sparring.yaml", directory: "/repository" });
	expect(errors).toEqual([]);
});

/** The example with its recorded agents, pushed to a remote, and a \`spar\` on the path. */
function example(): { readonly repo: TestRepository; readonly env: Record<string, string> } {
	const repo = repository();
	cpSync("examples/01-rate-limiter", repo.root, { recursive: true });
	repo.commit("Start");
	const bare = join(repo.home, "bare.git");
	repo.git("init", "--quiet", "--bare", "--template=", bare);
	repo.git("remote", "add", "origin", bare);
	repo.git("push", "--quiet", "origin", "main");
	repo.write({ "../bin/gh": "#!/bin/sh\n[ \"$*\" = 'auth setup-git' ]\n" });
	repo.write({ "../bin/spar": `#!/bin/sh\nexec node "${PROGRAM}" "$@"\n` });
	const env = {
		...repo.env,
		PATH: [join(repo.home, "bin"), repo.env["PATH"]].join(delimiter),
		CI: "true",
		GITHUB_ACTIONS: "true",
		GITHUB_OUTPUT: join(repo.home, "output"),
		GITHUB_STEP_SUMMARY: join(repo.home, "summary.md"),
	};
	return { repo, env };
}

/** Runs a script as GitHub's runner does. */
function script(text: string, { repo, env }: ReturnType<typeof example>) {
	const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", text];
	return spawnSync("bash", args, { cwd: repo.root, env, encoding: "utf8" });
}

thorough(
	"the scripts of the guide's workflow run, with recorded agents and a remote on this disk",
	async () => {
		const place = example();
		try {
			const { repo, env } = place;
			expect(script(runOf("Name the committer"), place).status).toBe(0);
			const ran = script(runOf("Run"), place);
			expect(ran.status, ran.stderr).toBe(0);
			expect(readFileSync(env["GITHUB_OUTPUT"] ?? "", "utf8")).toBe("code=0\n");
			expect(readFileSync(env["GITHUB_STEP_SUMMARY"] ?? "", "utf8")).toContain(
				"## rate-limiter: completed",
			);
			const reported = script(runOf("Report"), place);
			expect(reported.status, reported.stderr).toBe(0);
			for (const file of ["junit.xml", "findings.sarif", "report.html"])
				expect(existsSync(join(repo.root, "sparring-report", file)), file).toBe(true);
			const proposed = script(runOf("Pull request"), place);
			expect(proposed.status, proposed.stderr).toBe(0);
			expect(proposed.stdout).toMatch(/^pushed sparring\/.*\/integration to origin/);
			const author = repo.git("log", "-1", "--format=%an", "--remotes=origin/sparring");
			expect(author).toBe("github-actions[bot]");
			const result = runOf("Result").replace(/\$\{\{.*\}\}/, "0");
			expect(script(result, place).status).toBe(0);
			expect(script(result.replace("0", "3"), place).status).toBe(3);
		} finally {
			place.repo.remove();
		}
	},
);
