import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar, startSpar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { waitUntil } from "../support/wait-until.ts";
import { workflow } from "../support/workflow.ts";

const SUITE = `echo run >> "$COUNT"
echo 1..2
if grep -q good src/value.js; then echo "ok 1 - says good"; else echo "not ok 1 - says good"; fi
if test -e src/value.js; then echo "ok 2 - is there"; else echo "not ok 2 - is there"; fi
`;

const says = (value: string): string => `export const value = "${value}";\n`;

/** A project whose suite counts its runs in a file. */
function project(files: Files = {}): TestRepository & { readonly runs: () => number } {
	const repo = repository();
	tidyLater(() => repo.remove());
	const count = join(repo.home, "runs");
	repo.write({
		"src/value.js": says("good"),
		"test/suite.sh": SUITE.replace("$COUNT", count),
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { tests: { kind: "acceptance", run: "sh test/suite.sh", report: { format: "tap" } } },
		}),
		...files,
	});
	repo.commit("The project");
	const runs = (): number => (existsSync(count) ? readFileSync(count, "utf8").length / 4 : 0);
	return { ...repo, runs };
}

const answerJson = z.strictObject({
	decision: z.literal("block").optional(),
	reason: z.string().optional(),
	systemMessage: z.string().optional(),
});

/** Lets a session end; null: the hook said nothing. */
async function stop(
	repo: TestRepository,
	{
		session = "s-1",
		cwd = repo.root,
		env = {},
	}: { session?: string; cwd?: string; env?: Record<string, string> } = {},
): Promise<z.infer<typeof answerJson> | null> {
	const call = { session_id: session, cwd, hook_event_name: "Stop", stop_hook_active: false };
	// The directory of the process is another one than that of the session.
	const place = { cwd: repo.home, env, input: JSON.stringify(call) };
	const { code, stdout, stderr } = await spar(repo, ["check", "--hook", "stop"], place);
	expect(code, stderr).toBe(0);
	return stdout === "" ? null : answerJson.parse(JSON.parse(stdout));
}

const BLOCKS = { decision: "block" };

test("a session that ends with a red test is held back with the test's name, and let go once it passes", async () => {
	const repo = project();
	repo.write({ "src/value.js": says("bad") });
	const held = await stop(repo);
	expect(held).toMatchObject(BLOCKS);
	expect(held?.reason).toContain("says good");
	expect(held?.reason).toContain("fix the product");
	expect(held?.reason?.replaceAll(/\s+/g, " ")).toContain("stop, and say which test it is and why");
	expect(held?.reason, "a way around is for people").not.toContain("--allow");
	repo.write({ "src/value.js": says("good as well") });
	expect(await stop(repo)).toBeNull();
});

test("what was weakened is named with its place", async () => {
	const suite = (name: string): string => `require("node:test")${name}("one", () => undefined);\n`;
	const repo = project({
		"package.json": '{ "scripts": { "test": "node --test" } }\n',
		"sparring.yaml": null,
		"test/a.test.js": suite(""),
		"test/b.test.js": suite(""),
	});
	repo.write({ "test/a.test.js": suite(".skip") });
	const held = await stop(repo);
	expect(held).toMatchObject(BLOCKS);
	expect(held?.reason).toContain("test/a.test.js");
	expect(held?.reason).toContain("bring back what was weakened");
});

test("where all tests were red before, nobody is held back, and it is said that nothing could be judged", async () => {
	const repo = project({ "test/suite.sh": "echo 1..1; echo not ok 1 - says good\n" });
	repo.write({ "src/more.js": says("more") });
	const told = await stop(repo);
	expect(told?.decision).toBeUndefined();
	expect(told?.systemMessage?.replaceAll(/\s+/g, " ")).toContain("nothing could be judged");
	expect((await spar(repo, ["check", "--strict"])).code).toBe(3);
});

test("what only a person can tell blocks nothing, and is said to the person", async () => {
	const repo = project({ "suite.config": "strict\n" });
	repo.write({ "suite.config": "lenient\n" });
	const told = await stop(repo);
	expect(told?.decision).toBeUndefined();
	expect(told?.systemMessage).toContain("suite.config");
	expect(await stop(repo)).toBeNull();
});

test("nothing is run where nothing changed since the session was judged last", async () => {
	const repo = project();
	expect(await stop(repo), "a clean branch that brings nothing").toBeNull();
	expect(repo.runs()).toBe(0);
	repo.write({ "src/value.js": says("bad") });
	expect(await stop(repo)).toMatchObject(BLOCKS);
	const { length } = repo.git("status", "--porcelain");
	const runs = repo.runs();
	expect(runs).toBeGreaterThan(0);
	expect(await stop(repo), "done is said again").toMatchObject(BLOCKS);
	expect(await stop(repo)).toMatchObject(BLOCKS);
	const released = await stop(repo);
	expect(released?.decision, "three times is enough").toBeUndefined();
	expect(released?.systemMessage).toContain("says good");
	expect(released?.systemMessage, "words for a person").toContain("next: fix what fails");
	expect(released?.systemMessage).not.toContain("stop, and say which test");
	expect(repo.runs()).toBe(runs);
	expect(repo.git("status", "--porcelain")).toHaveLength(length);
	expect(await stop(repo, { session: "s-2" }), "another session was not told").toMatchObject(
		BLOCKS,
	);
});

test("two hooks of one session at once judge once, and what a killed one began is judged again", async () => {
	const repo = project();
	const [begun, go] = [join(repo.home, "begun"), join(repo.home, "go")];
	const wait = `touch "${begun}"\nuntil test -e "${go}"; do sleep 0.05; done\n`;
	repo.write({ "test/suite.sh": `${wait}${repo.read("test/suite.sh")}` });
	repo.commit("A suite that waits");
	repo.write({ "src/value.js": says("bad") });
	const input = JSON.stringify({ session_id: "s-1", cwd: repo.root });
	const first = startSpar(repo, ["check", "--hook", "stop"], { input });
	await waitUntil("a suite under way", () => existsSync(begun));
	expect(await stop(repo), "another process is at it").toBeNull();
	first.child.kill("SIGKILL");
	await first.ended;
	writeFileSync(go, "");
	expect(await stop(repo)).toMatchObject(BLOCKS);
});

test("a number that another process has by now holds no judgement up", async () => {
	const repo = project();
	repo.write({ "src/value.js": says("bad") });
	expect(await stop(repo)).toMatchObject(BLOCKS);
	const [file = ""] = globSync(join(repo.env["SPAR_CHECKOUTS"] ?? "", "*/stops/*.json"));
	const kept = JSON.parse(readFileSync(file, "utf8")) as object;
	writeFileSync(file, JSON.stringify({ ...kept, judge: `${process.pid} 1` }));
	expect(await stop(repo)).toMatchObject(BLOCKS);
});

test("a session is held back three times in a row at most, and is told so; a pass begins again", async () => {
	const repo = project();
	const tried = async (value: string) => {
		repo.write({ "src/value.js": says(value) });
		return await stop(repo);
	};
	for (const value of ["bad 1", "bad 2", "bad 3"]) expect(await tried(value)).toMatchObject(BLOCKS);
	const letGo = await tried("bad 4");
	expect(letGo?.decision).toBeUndefined();
	expect(letGo?.systemMessage).toContain("3 times");
	expect(letGo?.systemMessage).toContain("says good");
	expect((await tried("bad 5"))?.decision).toBeUndefined();
	expect(await tried("good 6")).toBeNull();
	expect(await tried("bad 7")).toMatchObject(BLOCKS);
});

test("what a session committed on main holds it back, and what its user had left there does not", async () => {
	const repo = project();
	const start = async (session: string) => {
		const call = { session_id: session, cwd: repo.root, hook_event_name: "SessionStart" };
		const place = { cwd: repo.home, input: JSON.stringify({ ...call, source: "startup" }) };
		return await spar(repo, ["check", "--hook", "start"], place);
	};
	repo.write({ "src/value.js": says("bad") });
	const begun = await start("s-1");
	expect(begun).toMatchObject({ code: 0, stdout: "" });
	expect(begun.stderr).toMatch(/^noted: this session begins at [0-9a-f]{10}, with what is not/);
	expect(await stop(repo), "its user's").toBeNull();
	repo.git("gc", "--quiet", "--prune=now");
	expect(await stop(repo), "its objects are kept").toBeNull();
	repo.write({ "src/value.js": null });
	repo.commit("Worse");
	expect((await start("s-1")).stderr).toContain("began before");
	expect(await stop(repo)).toMatchObject(BLOCKS);
	repo.write({ "notes.md": "more\n" });
	expect(await stop(repo), "an edit after the commit").toMatchObject(BLOCKS);
});

// With exit code 2 Claude Code would hold the session back, again and again.
test.each<[string, RegExp, (readonly string[])?]>([
	["", /not the JSON of a Stop hook/],
	["not JSON", /not the JSON of a Stop hook/],
	["[]", /not the JSON of a Stop hook/],
	['{"session_id":"s"}', /not the JSON of a Stop hook/],
	['{"session_id":1,"cwd":"/"}', /not the JSON of a Stop hook/],
	['{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse"}', /"PreToolUse" is not the end/],
	["{}", /unknown option '--qick'/, ["--qick"]],
	["{}", /--allow "x" is not PATH:KIND:REASON/, ["--allow", "x"]],
])("what no Stop hook gets blocks nothing: %j", async (input, message, more = []) => {
	const repo = project();
	repo.write({ "src/value.js": says("bad") });
	const args = ["check", "--hook", "stop", ...more];
	const { code, stdout, stderr } = await spar(repo, args, { input });
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	expect(stderr).toMatch(message);
	expect(repo.runs()).toBe(0);
});

test("what cannot be judged blocks nothing, and is said", async () => {
	const repo = project();
	expect(await stop(repo, { cwd: repo.home }), "no repository").toBeNull();
	repo.write({ "src/value.js": says("bad") });
	const blocked = join(repo.home, "a-file");
	writeFileSync(blocked, "");
	// A block that cannot be counted would have no end.
	const unkept = await stop(repo, { env: { SPAR_CHECKOUTS: join(blocked, "below") } });
	expect(unkept?.decision).toBeUndefined();
	expect(unkept?.systemMessage).toContain("cannot write");
	repo.git("checkout", "--quiet", "-b", "other");
	repo.commit("Other");
	repo.git("checkout", "--quiet", "main");
	repo.write({ "src/value.js": says("good too") });
	repo.commit("Main");
	expect(() => repo.git("merge", "other")).toThrow();
	expect((await stop(repo))?.systemMessage).toContain("a git merge is in progress");
	expect(repo.runs()).toBe(0);
});

test("without a test command it is said once for each state of the work", async () => {
	const repo = repository({ files: { "notes.txt": "1\n" } });
	tidyLater(() => repo.remove());
	repo.write({ "notes.txt": "2\n" });
	expect((await stop(repo))?.systemMessage).toContain("no test command was found");
	expect(await stop(repo)).toBeNull();
});

test.each<[string, readonly string[], RegExp]>([
	["an unknown hook", ["--hook", "post-merge"], /no hook "post-merge"/],
	["a commit beside it", ["main", "--hook", "pre-push"], /--hook says itself what is judged/],
	["more than git tells", ["a", "b", "c", "--hook", "pre-push"], /expected 2, and got 3/],
	["a format beside it", ["--hook", "pre-push", "--format", "sarif"], /Leave out/],
])("%s is wrong usage", async (_name, args, message) => {
	const { code, stdout, stderr } = await spar(project(), ["check", ...args]);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toMatch(message);
});
