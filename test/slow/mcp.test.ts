import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVAL, APPROVES, sendsBack, stage, WORKS } from "../acceptance/stage.ts";
import { mcpClient } from "../support/mcp.ts";
import { processesOf } from "../support/processes.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const TEST = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;

const NODE: Files = {
	"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
	"src/sum.js": "export const add = (a, b) => a + b;\n",
	"test/sum.test.js": TEST,
};
const BROKEN: Files = { "src/sum.js": "export const add = (a, b) => a - b;\n" };

function project(files: Files = NODE): TestRepository {
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	return repo;
}

/** A project whose tests never end, once they have begun; and the file that says that they have. */
function hanging(): { readonly repo: TestRepository; readonly mark: string } {
	const repo = project();
	const mark = join(repo.home, "started");
	const test = `touch ${mark}; sleep 3000`;
	repo.write({ "package.json": JSON.stringify({ scripts: { test } }) });
	repo.commit("Slow");
	repo.write({ "src/more.js": "" });
	return { repo, mark };
}

const begun = async (mark: string): Promise<void> =>
	await expect.poll(() => existsSync(mark)).toBe(true);

const checksLeft = (repo: TestRepository): string[] =>
	readdirSync(repo.env["SPAR_CHECKOUTS"] ?? "", { recursive: true, encoding: "utf8" }).filter(
		(path) => /check-/.test(path),
	);

test.each(["legacy", "auto"] as const)(
	"a client of the %s revision finds the tools, none of which answers for a person",
	async (mode) => {
		const { client, call, errors } = await mcpClient(project(), { mode });
		const { tools } = await client.listTools();
		const names = "check,findings,report,run_task,status,trace".split(",");
		expect(tools.map(({ name }) => name).sort()).toEqual(names);
		const inputs = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
		expect(inputs).toContain("rev");
		expect(inputs.filter((name) => /allow|answer|anyway|trust|land|save/.test(name))).toEqual([]);
		const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
		expect(writes.map(({ name }) => name)).toEqual(["run_task"]);
		const { isError, text } = await call("status");
		expect({ isError, text }).toEqual({ isError: true, text: like(/no runs/) });
		expect(errors).toEqual([]);
		await client.close();
	},
);

test("a check tells the verdict, the report of --json, and what it does meanwhile", async () => {
	const repo = project();
	repo.write(BROKEN);
	const { client, call, errors } = await mcpClient(repo);
	const red = await call("check");
	expect(red.isError).toBe(false);
	// On a slow machine a step also says how long it takes.
	const steps = red.progress.filter((text) => !/sandbox|\(\d+ s\)$/.test(text));
	expect(steps).toEqual(["base: npm test", like(/^work: npm test \(base took [\dms. ]+\)$/)]);
	expect(red.text).toMatch(/^fail {2}uncommitted changes, 1 file/);
	expect(red.json).toMatchObject({ verdict: "fail", checks: [{ name: "tests", status: "fail" }] });
	repo.write({ ...NODE, "src/more.js": "export const one = 1;\n" });
	const green = await call("check", { task: "Add one." });
	expect(green.text).toMatch(/^pass {2}/);
	expect(green.json).toMatchObject({ verdict: "pass", files: ["src/more.js"] });
	const told = await spar(repo, ["check", "--json", "--task", "Add one."]);
	// Each ran by itself.
	const untimed = (report: unknown): unknown =>
		JSON.parse(JSON.stringify(report), (key, value: unknown): unknown =>
			key === "ms" || key === "time" ? 0 : value,
		);
	expect(untimed(green.json)).toEqual(untimed(JSON.parse(told.stdout)));
	expect(errors).toEqual([]);
	await client.close();
});

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

test("a cancelled check ends with all that it started, and the server goes on", async () => {
	const { repo, mark } = hanging();
	const { client, call, errors, pid } = await mcpClient(repo);
	const stop = new AbortController();
	const asked = expect(call("check", {}, stop.signal)).rejects.toThrow(/enough/);
	await begun(mark);
	stop.abort(new Error("enough"));
	await asked;
	await expect.poll(() => processesOf(repo).map((each) => each.pid)).toEqual([pid]);
	await expect.poll(() => checksLeft(repo)).toEqual([]);
	expect(await call("check", { quick: true })).toMatchObject({ json: { verdict: "pass" } });
	expect(errors).toEqual([]);
	await client.close();
});

test.each<[string, (pid: number, client: { close(): Promise<void> }) => Promise<void>]>([
	["a client that disconnects", (_pid, client) => client.close()],
	["a signal", async (pid) => void process.kill(pid, "SIGTERM")],
])("%s ends the server and what it started", async (_what, end) => {
	const { repo, mark } = hanging();
	const { client, call, pid } = await mcpClient(repo);
	const asked = expect(call("check")).rejects.toThrow(/closed/i);
	await begun(mark);
	await end(pid, client);
	await asked;
	await expect.poll(() => processesOf(repo)).toEqual([]);
	expect(checksLeft(repo)).toEqual([]);
});

test("a path outside of the repository is refused, also behind a link", async () => {
	const repo = project();
	repo.write({ "src/more.js": "" });
	symlinkSync(repo.home, join(repo.root, "out"));
	const { client, call } = await mcpClient(repo);
	for (const directory of ["..", "/", "out", repo.home]) {
		const { isError, text } = await call("check", { directory, quick: true });
		expect({ isError, text }).toMatchObject({ isError: true, text: like(/is outside of the rep/) });
	}
	const file = await call("run_task", { file: "../sparring.yaml" });
	expect(file.text).toMatch(/"..\/sparring.yaml" does not exist/);
	repo.git("worktree", "add", "--quiet", "trees/one");
	repo.write({ "trees/one/src/two.js": "", out: null });
	const here = await call("check", { directory: "trees/one", quick: true });
	expect(here.json).toMatchObject({ files: ["src/two.js"] });
	await client.close();
});

test("a server outside of any repository serves none", async () => {
	const repo = project();
	const { client, call } = await mcpClient(repo, { cwd: repo.home });
	expect((await call("check")).text).toMatch(/git repository/);
	const named = await call("check", { directory: "project", quick: true });
	expect(named.text).toMatch(/is in no repository\n.*inside of one/);
	await client.close();
});

test("bad input and what stands in the way are answers with the way out", async () => {
	const { client, call, errors } = await mcpClient(project());
	const told = async (name: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
		const { isError, text } = await call(name, args);
		expect(isError, text).toBe(true);
		return text;
	};
	expect(await told("check", { revision: "main" })).toMatch(/Unrecognized key: "revision"/);
	expect(await told("check", { rev: 3 })).toMatch(/rev: .*expected string/);
	expect(await told("check", { rev: " " })).toMatch(/rev: /);
	expect(await told("check", { rev: "nowhere" })).toMatch(/"nowhere" is no commit.*\n.*git branch/);
	expect(await told("check", { quick: true, coach: "claude" })).toMatch(/runs nothing/);
	expect(await told("run_task", {})).toMatch(/no task is named/);
	expect(await told("run_task", { task: "x", max_turns: 0 })).toMatch(/max_turns: /);
	await expect(call("answer")).rejects.toThrow(/answer not found/);
	expect(errors).toEqual([]);
	await client.close();
});

test("a run tells its events and its end, and the other tools tell of it what --json prints", async () => {
	const made = stage({
		steps: [
			WORKS,
			{
				role: "coach",
				turn: 1,
				report: sendsBack({ issue: "It is wrong.", severity: "major" }),
			},
			{
				role: "coach",
				report: { ...APPROVAL, findings_status: [{ id: "$ID0", status: "fixed" }] },
			},
		],
	});
	const { client, call } = await mcpClient(made.repo);
	const ran = await call("run_task", { task_ids: ["one"], max_turns: 3 });
	expect(ran, ran.text).toMatchObject({ isError: false, json: { tasks: { one: { turns: 2 } } } });
	expect(ran.text).toContain("spar land");
	expect(ran.progress.join("\n")).toMatch(/^one: .*It is wrong/m);
	const [status, findings, trace, report] = await Promise.all([
		call("status"),
		call("findings", { task: "one" }),
		call("trace"),
		call("report"),
	]);
	expect(status.json).toEqual(await made.json("status"));
	// A list is no result by itself in the revision with a handshake.
	expect(findings.json).toEqual({ result: await made.json("findings", "one") });
	expect(trace.json).toEqual(await made.json("trace", "one"));
	expect(report.json).toEqual(await made.json("report"));
	expect(findings.text).toContain("It is wrong.");
	expect(trace.text).toMatch(/^task one of run /);
	expect(report.text).toMatch(/^#/);
	await client.close();
});

test("a cancelled run has ended its agents, and can be resumed", async () => {
	const made = stage({ steps: [{ role: "player", call: 1, hang: true }, WORKS, APPROVES] });
	const { client, call, pid } = await mcpClient(made.repo);
	const stop = new AbortController();
	const asked = expect(call("run_task", { task_ids: ["one"] }, stop.signal)).rejects.toThrow();
	await expect.poll(() => made.agents.calls().length).toBeGreaterThan(0);
	stop.abort();
	await asked;
	await expect.poll(() => processesOf(made.repo).map((each) => each.pid)).toEqual([pid]);
	expect((await call("status")).json).toMatchObject({ holder: null });
	expect((await made.resume()).task).toMatchObject({ success: true });
	await client.close();
});

test("a task in words is run by the agents that are named, and a question is left to a person", async () => {
	const made = stage({ steps: [{ role: "player", report: { blocked: BLOCKED } }], human: true });
	const { client, call } = await mcpClient(made.repo);
	const { isError, text, json } = await call("run_task", {
		task: "Add a greeting",
		criteria: ["it greets"],
		player: "dev",
		coach: "none",
	});
	expect({ isError, json }, text).toMatchObject({
		isError: false,
		json: { status: "paused_for_user_escalation", tasks: { "add-a-greeting": { turns: 1 } } },
	});
	expect(text).toMatch(/spar questions \S+ +what add-a-greeting asks/);
	await client.close();
});

const BLOCKED = { reason: "task", what: "it says two things", evidence: [], proposal: "say one" };

test("a known secret is in no answer and in no message of progress", async () => {
	const secret = "kq83hfT2mVx90LzPw1Rb";
	const repo = project();
	repo.write({ ...BROKEN, "src/sum.js": `export const add = () => "${secret}";\n` });
	const { client, call } = await mcpClient(repo, { env: { MY_API_TOKEN: secret } });
	const told = await call("check", { command: `node --test # ${secret}` });
	expect(told.text).toMatch(/^fail/);
	expect(told.progress.length).toBeGreaterThan(1);
	expect(JSON.stringify(told)).not.toContain(secret);
	await client.close();
});
