import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { tidyLater } from "../support/tidy.ts";

const TEXT = readFileSync("action.yml", "utf8");
const ROOT = process.cwd();

const step = z.strictObject({
	name: z.string(),
	id: z.string().optional(),
	if: z.string().optional(),
	uses: z.string().optional(),
	with: z.record(z.string(), z.string()).optional(),
	env: z.record(z.string(), z.string()).optional(),
	shell: z.literal("bash").optional(),
	run: z.string().optional(),
	"continue-on-error": z.boolean().optional(),
});
const action = z.looseObject({
	inputs: z.record(z.string(), z.looseObject({ default: z.string() })),
	runs: z.strictObject({ using: z.literal("composite"), steps: z.array(step) }),
});
const {
	inputs,
	runs: { steps },
} = action.parse(parse(TEXT));

/** It imports JSON in a form that is for bundlers. */
async function languageService(): Promise<typeof import("@actions/languageservice")> {
	const folder = mkdtempSync(join(tmpdir(), "spar-actions-"));
	tidyLater(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "service.mjs");
	const bundle = await rolldown({ input: "@actions/languageservice", platform: "node" });
	await bundle.write({ file, format: "esm" });
	await bundle.close();
	const service: unknown = await import(file);
	// True because it is a bundle of that package.
	return service as typeof import("@actions/languageservice");
}

test("GitHub's own language service finds nothing wrong with the action, and would", async () => {
	const { validate } = await languageService();
	// What it has read it keeps by the name.
	const lintOf = async (name: string, text: string): Promise<readonly unknown[]> =>
		(await validate(TextDocument.create(`file:///${name}/action.yml`, "yaml", 1, text))).map(
			({ message }) => message,
		);
	expect(await lintOf("ours", TEXT)).toEqual([]);
	const shell = TEXT.replace("shell: bash", "");
	expect(await lintOf("shell", shell)).toEqual(["Required property is missing: shell"]);
	const call = TEXT.replace("{{ inputs.base }}", "{{ nope(inputs.base) }}");
	expect(await lintOf("call", call)).toEqual(["Unrecognized function: 'nope'"]);
});

test("no text from outside stands in a script, and the token is in no step that runs code of the work", () => {
	expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
	const having = (what: string): string[] =>
		steps.filter((each) => JSON.stringify(each).includes(what)).map(({ name }) => name);
	expect(having("inputs.token")).toEqual(["Code scanning", "Comment"]);
	expect(having("github.token")).toEqual([]);
	const named = [...TEXT.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name);
	expect(new Set(named)).toEqual(new Set(Object.keys(inputs)));
});

const HOSTILE = '"; touch "$HOME/injected"; `touch $HOME/injected`; $(touch $HOME/injected)';

const GH = `#!/usr/bin/env node
const fs = require("node:fs");
const args = process.argv.slice(2);
const file = process.env.HOME + "/gh.json";
const state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : { calls: [], comments: [] };
state.calls.push(args);
const save = () => fs.writeFileSync(file, JSON.stringify(state));
if (process.env.GH_TOKEN === "read-only" && args[1] !== "view") {
	save();
	process.stderr.write("HTTP 403: Resource not accessible by integration\\n");
	process.exit(1);
}
if (args[1] === "view") process.stdout.write(JSON.stringify({ comments: state.comments }));
const address = "https://github.com/acme/sum/pull/7#issuecomment-";
if (args[1] === "comment") {
	const body = fs.readFileSync(args[args.indexOf("--body-file") + 1], "utf8");
	state.comments.push({ viewerDidAuthor: true, body, url: address + (state.comments.length + 1) });
}
if (args[0] === "api") {
	const id = args.find((one) => one.startsWith("repos/")).split("/").at(-1);
	const body = fs.readFileSync(args[args.indexOf("--field") + 1].replace("body=@", ""), "utf8");
	state.comments.find(({ url }) => url === address + id).body = body;
}
save();
`;

const comment = z.object({ body: z.string(), url: z.string(), viewerDidAuthor: z.boolean() });

interface Run {
	readonly inputs?: Readonly<Record<string, string>>;
	readonly token?: string;
}

/** A pull request as a runner has it: its merge checked out, and a remote on this disk. */
function pullRequest(change: (repo: TestRepository) => void) {
	const repo = repository({
		files: {
			"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
			"src/sum.js": "export const add = (a, b) => a + b;\n",
			"test/sum.test.js": `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
test("adds", () => assert.equal(add(2, 3), 5));
`,
		},
	});
	tidyLater(() => repo.remove());
	const remote = join(repo.home, "remote.git");
	repo.git("clone", "--quiet", "--bare", repo.root, remote);
	repo.git("remote", "add", "origin", remote);
	const base = repo.git("rev-parse", "HEAD");
	repo.git("checkout", "--quiet", "-b", "theirs");
	change(repo);
	repo.commit("Theirs");
	repo.git("push", "--quiet", "origin", "HEAD:refs/pull/7/head");
	repo.git("checkout", "--quiet", "--detach", base);
	repo.git("merge", "--quiet", "--no-ff", "-m", "Merge", "theirs");
	repo.write({ "../bin/gh": GH });
	const known: Readonly<Record<string, string>> = {
		"github.event.pull_request.base.sha": base,
		"github.event.pull_request.number": "7",
	};
	return { repo, run: (how: Run = {}) => played(repo, known, how) };
}

type Outcome = Readonly<Record<"code" | "log" | "summary", string>> & {
	readonly comments: readonly z.infer<typeof comment>[];
	readonly calls: readonly (readonly string[])[];
};

/** Plays the steps as GitHub's runner does, but for the upload. */
function played(
	repo: TestRepository,
	known: Readonly<Record<string, string>>,
	{ inputs: given = {}, token = "t0k3n" }: Run,
): Outcome {
	const outputs: Record<string, string> = {};
	const file = (name: string): string => join(repo.home, name);
	const filled = (text: string): string =>
		text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name: string): string => {
			const key = name.split(".").at(-1) ?? "";
			if (name.startsWith("inputs.")) return given[key] ?? filled(inputs[key]?.default ?? "");
			if (name.startsWith("steps.")) return outputs[key] ?? "";
			if (name === "github.token") return token;
			return known[name] ?? "";
		});
	let log = "";
	let code = 0;
	for (const { name, run, env = {}, if: condition = "" } of steps) {
		const isReported = outputs["reported"] === "true" && given["comment"] !== "false";
		if (run === undefined || (condition !== "" && !isReported)) continue;
		writeFileSync(file("output"), "");
		const ended = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
			cwd: repo.root,
			encoding: "utf8",
			env: {
				...repo.env,
				PATH: [join(repo.home, "bin"), repo.env["PATH"]].join(delimiter),
				...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)])),
				GITHUB_ACTION_PATH: ROOT,
				GITHUB_REPOSITORY: "acme/sum",
				GITHUB_OUTPUT: file("output"),
				GITHUB_STEP_SUMMARY: file("summary.md"),
				RUNNER_TEMP: file("temp"),
				CI: "true",
			},
		});
		log += `${ended.stdout}${ended.stderr}`;
		for (const [, key = "", value = ""] of readFileSync(file("output"), "utf8").matchAll(
			/^(\w+)=(.*)$/gm,
		))
			outputs[key] = value;
		code = ended.status ?? 70;
		if (code !== 0 && name !== "Verdict") break;
	}
	const recorded = z
		.object({
			calls: z.array(z.array(z.string())),
			comments: z.array(comment),
		})
		.parse(
			existsSync(file("gh.json"))
				? JSON.parse(readFileSync(file("gh.json"), "utf8"))
				: { calls: [], comments: [] },
		);
	const summary = existsSync(file("summary.md")) ? readFileSync(file("summary.md"), "utf8") : "";
	expect(existsSync(file("injected"))).toBe(false);
	return { code: String(code), log, summary, ...recorded };
}

const weakened = (repo: TestRepository): void =>
	repo.write({
		"src/sum.js": "export const add = () => 4;\n",
		"test/sum.test.js": `import test from "node:test";
test("adds", () => {});
`,
	});

test("a pull request that weakens a test fails, with annotations, a summary and one comment that is kept up to date", () => {
	const { repo, run } = pullRequest(weakened);
	const first = run({ inputs: { task: HOSTILE } });
	expect(first.code, first.log).toBe("1");
	expect(first.log).toMatch(/^::stop-commands::([0-9a-f]{32})\n[\s\S]*^::\1::\n[\s\S]*^::error /m);
	expect(first.summary).toMatch(/^## spar check: fail\n/);
	expect(existsSync(join(repo.home, "temp/sparring-check/check.sarif"))).toBe(true);
	expect(first.comments).toHaveLength(1);
	expect(first.comments[0]?.body).toContain("## spar check: fail");
	// Somebody else's comment that looks like ours is left alone.
	const state = join(repo.home, "gh.json");
	const forged = { ...first.comments[0], viewerDidAuthor: false, url: "x#issuecomment-9" };
	const comments = [...first.comments, forged];
	writeFileSync(state, JSON.stringify({ calls: [], comments }));
	repo.write({ "src/sum.js": "export const add = (a, b) => a + b;\n" });
	repo.git("checkout", "--quiet", "HEAD^1", "--", "test/sum.test.js");
	repo.write({ "src/more.js": "export const one = 1;\n" });
	repo.commit("Puts it right");
	const second = run();
	expect(second.code, second.log).toBe("0");
	expect(second.comments.map(({ body }) => /spar check: (\w+)/.exec(body)?.[1])).toEqual([
		"pass",
		"fail",
	]);
	expect(second.calls.map(([what, how]) => `${what} ${how}`)).toEqual(["pr view", "api --method"]);
});

thorough("a token that may not write leaves the verdict as it is", () => {
	const { run } = pullRequest(weakened);
	const { code, log, comments } = run({ token: "read-only" });
	expect({ code, comments }).toEqual({ code: "1", comments: [] });
	expect(log).toContain("::warning::the comment could not be written");
});

thorough("strictness decides what fails the job, and only words that are known are taken", () => {
	const { run } = pullRequest((repo) => repo.write({ "out.sarif": "{}\n" }));
	const codeWith = (strictness: string): string => run({ inputs: { strictness } }).code;
	expect(codeWith("fail")).toBe("0");
	expect(codeWith("review")).toBe("3");
	expect(codeWith(HOSTILE)).toBe("2");
	const red = pullRequest(weakened);
	expect(red.run({ inputs: { strictness: "report", comment: "false" } })).toMatchObject({
		code: "0",
		calls: [],
	});
	const wrong = red.run({ inputs: { base: "--upload-pack=touch injected", strictness: "report" } });
	expect(wrong.code, wrong.log).toBe("2");
	expect(wrong.log).not.toContain("::error file");
});
