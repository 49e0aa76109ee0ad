import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { type SparOptions, spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

// A runner of shell scripts that prints TAP.
const RUN = `n=0; rc=0; echo "TAP version 13"
for f in test/*.test.sh; do n=$((n+1)); if sh "$f"; then echo "ok $n - \${f##*/}"; else echo "not ok $n - \${f##*/}"; rc=1; fi; done
echo "1..$n"; exit $rc
`;

const HONEST = "export const sub = (a, b) => a-b;\n";

const BROKEN = "export const sub = (a, b) => b-a;\n";

/** A project without a sandbox, whose one interesting test is given. */
function project(tested: string, more: Files = {}): TestRepository {
	const checks = { tests: { kind: "acceptance", run: "sh test/run.sh" } };
	const repo = repository({
		files: {
			"sparring.yaml": JSON.stringify({ version: 1, checks }),
			"src/sub.js": HONEST,
			"test/run.sh": RUN,
			"test/other.test.sh": "[ -e src/sub.js ]\n",
			"test/sub.test.sh": tested,
			...more,
		},
	});
	tidyLater(() => repo.remove());
	return repo;
}

const checkJson = z.looseObject({
	verdict: z.string(),
	checks: z.array(z.looseObject({ name: z.string(), failed: z.array(z.string()) })),
});

async function check(repo: TestRepository, options: SparOptions = {}, args: string[] = []) {
	const { code, stdout, stderr } = await spar(repo, ["check", "--json", ...args], options);
	if (stdout === "") throw new Error(`no report (exit ${code}): ${stderr}`);
	return { code, stdout, stderr, ...checkJson.parse(JSON.parse(stdout)) };
}

function put(path: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text, { mode });
}

const NEEDS_VARIABLE = '[ -n "$DATABASE_ADDRESS" ] || exit 1\ngrep -q a-b src/sub.js\n';

test("work that breaks a test which needs a variable of the user's shell fails", async () => {
	const repo = project(NEEDS_VARIABLE);
	const options = { env: { DATABASE_ADDRESS: "postgres://localhost/test" } };
	repo.write({ "src/sub.js": BROKEN });
	expect(await check(repo, options)).toMatchObject({ code: 1, verdict: "fail" });
	repo.write({ "src/sub.js": `${HONEST}export const add = (a, b) => a + b;\n` });
	expect(await check(repo, options)).toMatchObject({ code: 0, verdict: "pass" });
});

test("work that breaks a test which needs a file of the user's home fails, also where a variable names the folder", async () => {
	const browser = `[ -e "\${XDG_CACHE_HOME:-$HOME/.cache}/browsers/chrome" ] || exit 1\n`;
	const tested = `${browser}grep -q a-b src/sub.js\n`;
	const repo = project(tested);
	repo.write({ "src/sub.js": BROKEN });
	put(join(repo.home, ".cache/browsers/chrome"), "browser");
	expect(await check(repo)).toMatchObject({ code: 1, verdict: "fail" });
	put(join(repo.home, "elsewhere/browsers/chrome"), "browser");
	const env = { XDG_CACHE_HOME: join(repo.home, "elsewhere") };
	expect(await check(repo, { env })).toMatchObject({ code: 1, verdict: "fail" });
});

test("secrets of the user's shell are masked in what tests print, by their name and by their form", async () => {
	const repo = project("true\n");
	repo.write({
		"sparring.yaml": JSON.stringify({
			version: 1,
			checks: { tests: { kind: "acceptance", run: "node --test" } },
		}),
		"sub.test.mjs": `import { readFileSync } from "node:fs";
import test from "node:test";
test("subtracts", () => {
	const { BILLING_API_KEY, HANDY, STORE } = process.env;
	if (!readFileSync("src/sub.js", "utf8").includes("a-b"))
		throw new Error(\`with \${BILLING_API_KEY} at \${STORE} as \${HANDY}\`);
});
`,
	});
	repo.commit("A test that says what it was given");
	const secrets = {
		BILLING_API_KEY: "zlw-quarry-lantern-88",
		HANDY: ["ghp", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"].join("_"),
		STORE: "postgres://app:Tr0mb0ne-hill@db.example/app",
	};
	repo.write({ "src/sub.js": BROKEN });
	const { shown, code } = await spar(repo, ["check"], { env: secrets });
	expect(code, shown).toBe(1);
	expect(shown).toMatch(/with\s+\[MASKED:env:[0-9a-f]{4}\] at postgres:\/\/app:\[MASKED/);
	for (const text of [secrets.BILLING_API_KEY, secrets.HANDY, "Tr0mb0ne-hill"])
		expect(shown).not.toContain(text);
});

test("a pull request of a fork sees neither the user's variables nor the user's home", async () => {
	const repo = project(
		'[ -z "$DATABASE_ADDRESS" ] && [ ! -e "$HOME/.cache/browsers" ] && grep -q a-b src/sub.js\n',
	);
	put(join(repo.home, ".cache/browsers/chrome"), "browser");
	const remote = join(repo.home, "remote.git");
	repo.git("clone", "--quiet", "--bare", repo.root, remote);
	repo.git("remote", "add", "origin", remote);
	repo.git("checkout", "--quiet", "-b", "theirs");
	repo.write({ "src/sub.js": `${HONEST}export const add = (a, b) => a + b;\n` });
	const head = repo.commit("Theirs");
	repo.git("push", "--quiet", "origin", "theirs:refs/pull/7/head");
	repo.git("checkout", "--quiet", "main");
	const pull = { number: 7, headRefOid: head, baseRefName: "main" };
	const bin = join(repo.home, "bin");
	const env = { PATH: `${bin}:${repo.env["PATH"]}`, DATABASE_ADDRESS: "postgres://localhost/test" };
	const verdictOf = async (isCrossRepository: boolean) => {
		const answer = JSON.stringify({ ...pull, isCrossRepository });
		put(join(bin, "gh"), `#!/bin/sh\necho '${answer}'\n`, 0o755);
		const { checks } = await check(repo, { env }, ["--pr", "7"]);
		return checks.find(({ name }) => name === "tests");
	};
	expect(await verdictOf(true)).toMatchObject({ status: "pass", counts: { passed: 2 } });
	// One's own does, so that the one above can fail.
	expect(await verdictOf(false)).toMatchObject({ counts: { passed: 1 } });
});

/** Work whose product answers wrongly, but for what its new test leaves in a place. */
const primed = (place: string): Files => ({
	"src/sub.js": `${BROKEN}// ${place}\n`,
	"test/a.test.sh": `mkdir -p "${place}" && echo a-b > "${place}/answer"\n`,
	"test/sub.test.sh": `cat src/sub.js "${place}/answer" 2>/dev/null | grep -q a-b\n`,
});

const READS = (place: string): string =>
	`cat src/sub.js "${place}/answer" 2>/dev/null | grep -q a-b\n`;

test("what a test leaves in the home does not answer for the base's tests", async () => {
	const place = "$HOME/.cache/sub";
	const repo = project(READS(place));
	repo.write(primed(place));
	expect(await check(repo)).toMatchObject({ code: 1, verdict: "fail" });
	expect(existsSync(join(repo.home, ".cache/sub"))).toBe(false);
});

test("without a sandbox, what a test writes into the user's own home is told, once", async () => {
	const repo = project(READS("PLACE"));
	const place = join(repo.home, ".cache/sub");
	mkdirSync(dirname(place));
	repo.write(primed(place));
	const { stderr } = await check(repo);
	expect(stderr.split("~/.cache/sub")).toHaveLength(2);
	expect(stderr).toContain("with a sandbox none can");
	repo.write({ "test/a.test.sh": "true\n", "src/sub.js": `${HONEST}// more\n` });
	expect((await check(repo)).stderr).not.toContain("written in your home");
});

const contents = (folder: string): ReadonlyMap<string, number> =>
	new Map(
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.map((path) => [path, statSync(join(folder, path))] as const)
			.flatMap(([path, stat]) => (stat.isFile() ? [[path, stat.size] as const] : [])),
	);

const hasGo = spawnSync("go", ["version"]).status === 0;

const GO: Files = {
	"go.mod": "module example.com/lib\n\ngo 1.18\n",
	"lib.go": "package lib\n\nfunc Add(a, b int) int { return a + b }\n",
	"lib_test.go":
		'package lib\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
};

// A fake one cannot tell what a compiler finds.
if (hasGo)
	test("the user's cache of builds is warm for each execution, and nothing of an agent's gets there", async () => {
		const run =
			'ls "$GOCACHE"/*/* | wc -l >> "$LOG"; go test -v ./...; rc=$?; echo x > "$GOCACHE/planted"; for file in "$GOCACHE"/*/*; do echo x > "$file"; done; exit $rc';
		const repo = repository({ files: GO });
		tidyLater(() => repo.remove());
		const env = { GOCACHE: join(repo.home, ".cache/go-build"), LOG: join(repo.home, "log") };
		const warm = spawnSync("go", ["test", "./..."], {
			cwd: repo.root,
			env: { ...repo.env, ...env },
			encoding: "utf8",
		});
		expect(warm.status, warm.stderr).toBe(0);
		const before = contents(env.GOCACHE);
		expect(before.size).toBeGreaterThan(100);
		const agent = ["sh", "-c", "echo '// more' >> lib.go"];
		repo.write({
			"sparring.yaml": JSON.stringify({
				version: 1,
				name: "warm",
				agents: { dev: { adapter: "command", run: agent } },
				checks: { tests: { kind: "acceptance", run: run.replaceAll("$LOG", env.LOG) } },
				human: { enabled: false },
				mutation: { when: "never" },
				tasks: { one: { agent: "dev", description: "Add a comment." } },
			}),
		});
		repo.commit("Workflow");
		const { stderr } = await spar(repo, ["run", "--json"], { env: { GOCACHE: env.GOCACHE } });
		const seen = readFileSync(env.LOG, "utf8")
			.split("\n")
			.filter((line) => /^\d+$/.test(line.trim()))
			.map(Number);
		expect(seen.length, stderr).toBeGreaterThan(1);
		// Each of them found what the user had built.
		for (const files of seen) expect(files).toBeGreaterThan(100);
		expect(existsSync(join(env.GOCACHE, "planted"))).toBe(false);
		expect(contents(env.GOCACHE)).toEqual(before);
	});

test("an agent's work sees neither the user's variables nor the user's home", async () => {
	const repo = project("true\n");
	put(join(repo.home, ".cache/browsers/chrome"), "browser");
	const look =
		'[ -z "$DATABASE_ADDRESS" ] && [ ! -e "$HOME/.cache/browsers" ] && grep -q a-b src/sub.js\n';
	repo.write({
		"test/sub.test.sh": look,
		"sparring.yaml": JSON.stringify({
			version: 1,
			name: "narrow",
			agents: { dev: { adapter: "command", run: ["sh", "-c", "echo '// more' >> src/sub.js"] } },
			checks: { tests: { kind: "acceptance", run: "sh test/run.sh" } },
			human: { enabled: false },
			mutation: { when: "never" },
			tasks: { one: { agent: "dev", description: "Add a comment." } },
		}),
	});
	repo.commit("Workflow");
	const env = { DATABASE_ADDRESS: "postgres://localhost/test" };
	const { code, stdout, stderr } = await spar(repo, ["run", "--json"], { env });
	expect(code, stdout + stderr).toBe(0);
});

test("with an empty home variable, and with a home that nobody can write to, work is judged", async () => {
	const repo = project("grep -q a-b src/sub.js\n");
	repo.write({ "src/sub.js": `${HONEST}// more\n` });
	expect(await check(repo, { env: { HOME: "" } })).toMatchObject({ code: 0 });
	const home = join(repo.home, "read-only");
	put(join(home, ".cache/tool"), "kept");
	for (const folder of [".cache", ""]) chmodSync(join(home, folder), 0o555);
	const env = { HOME: home, XDG_STATE_HOME: join(repo.home, "state") };
	const { code } = await check(repo, { env });
	for (const folder of ["", ".cache"]) chmodSync(join(home, folder), 0o755);
	expect(code).toBe(0);
});
