import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const HONEST = "export const sub = (a, b) => a-b;\n";

const RUN = `n=0; rc=0; echo "TAP version 13"
for f in test/*.test.sh; do n=$((n+1)); if sh "$f"; then echo "ok $n - \${f##*/}"; else echo "not ok $n - \${f##*/}"; rc=1; fi; done
echo "1..$n"; exit $rc
`;

function project(tested: string): TestRepository {
	const checks = { tests: { kind: "acceptance", run: "sh test/run.sh" } };
	const files: Files = {
		"sparring.yaml": JSON.stringify({ version: 1, sandbox: "required", checks }),
		"src/sub.js": HONEST,
		"test/run.sh": RUN,
		"test/other.test.sh": "[ -e src/sub.js ]\n",
		"test/sub.test.sh": tested,
	};
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	return repo;
}

const checkJson = z.looseObject({
	verdict: z.string(),
	checks: z.array(
		z.looseObject({ name: z.string(), counts: z.looseObject({ passed: z.int() }).nullable() }),
	),
});

async function check(repo: TestRepository, env: Readonly<Record<string, string>> = {}) {
	const { code, stdout, stderr } = await spar(repo, ["check", "--json"], { env });
	if (stdout === "") throw new Error(`no report (exit ${code}): ${stderr}`);
	return { stderr, ...checkJson.parse(JSON.parse(stdout)) };
}

function put(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

test("one's own work sees the user's variables and home in the sandbox, but no credentials", async () => {
	const repo = project(
		'[ -n "$DATABASE_ADDRESS" ] && [ -e "$HOME/.cache/browsers/chrome" ] || exit 1\n[ ! -s "$HOME/.netrc" ] && [ ! -e "$HOME/.ssh/id" ] || exit 1\ngrep -q a-b src/sub.js\n',
	);
	put(join(repo.home, ".cache/browsers/chrome"), "browser");
	put(join(repo.home, ".netrc"), "machine example.test\n");
	put(join(repo.home, ".ssh/id"), "key\n");
	repo.write({ "src/sub.js": `${HONEST}// more\n` });
	const env = { DATABASE_ADDRESS: "postgres://localhost/test" };
	const { checks } = await check(repo, env);
	expect(checks.find(({ name }) => name === "tests")?.counts?.passed).toBe(2);
	repo.write({ "src/sub.js": "export const sub = (a, b) => b-a;\n" });
	expect(await check(repo, env)).toMatchObject({ verdict: "fail" });
});

test.each([
	["its home", "$HOME/.cache/browsers"],
	["a new folder of its home", "$HOME/.cache/sub"],
	["the user's own home", "USER/.cache/browsers"],
])("what a test leaves in %s does not answer for the next execution", async (_where, named) => {
	const repo = project("true\n");
	const place = named.replace("USER", repo.home);
	const reads = `cat src/sub.js "${place}/answer" 2>/dev/null | grep -q a-b\n`;
	put(join(repo.home, ".cache/browsers/chrome"), "browser");
	repo.write({ "test/sub.test.sh": reads });
	repo.commit("The test");
	repo.write({
		"src/sub.js": `export const sub = (a, b) => b-a; // ${place}\n`,
		"test/a.test.sh": `mkdir -p "${place}" && echo a-b > "${place}/answer"; true\n`,
	});
	const { verdict, stderr } = await check(repo);
	expect(verdict).toBe("fail");
	expect(stderr).not.toContain("written in your home");
	expect(readdirSync(join(repo.home, ".cache/browsers"))).toEqual(["chrome"]);
	expect(existsSync(join(repo.home, ".cache/sub"))).toBe(false);
});

const hasGo = spawnSync("go", ["version"]).status === 0;

const LIB = "package lib\n\nfunc Add(a, b int) int { return a + b }\n";
const GO: Files = {
	"go.mod": "module example.com/lib\n\ngo 1.18\n",
	"lib.go": LIB,
	"lib_test.go":
		'package lib\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
};

/** Finds the cache warm, and without what work wrote in an execution before; where it judges work it writes over all of it. */
const BUILD = `[ "$(ls "$GOCACHE"/*/* | wc -l)" -gt 100 ] && [ ! -e "$GOCACHE/planted" ] || { echo "cold, or written"; exit 3; }
go test -v ./...; rc=$?
if grep -q more lib.go; then echo x > "$GOCACHE/planted"; for file in "$GOCACHE"/*/*; do echo x > "$file"; done; fi
exit $rc`;

const contents = (folder: string): ReadonlyMap<string, string> =>
	new Map(
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.map((path) => join(folder, path))
			.filter((path) => statSync(path).isFile())
			.map((path) => [path, readFileSync(path, "base64")] as const),
	);

/** A Go library whose user has built it, with the cache as it is then. */
function library(more: object) {
	const repo = repository({ files: GO });
	tidyLater(() => repo.remove());
	const cache = join(repo.home, ".cache/go-build");
	const env = { GOCACHE: cache };
	const warm = spawnSync("go", ["test", "./..."], {
		cwd: repo.root,
		env: { ...repo.env, ...env },
		encoding: "utf8",
	});
	if (warm.status !== 0) throw new Error(warm.stderr);
	const checks = { tests: { kind: "acceptance", run: BUILD } };
	repo.write({
		"sparring.yaml": JSON.stringify({ version: 1, sandbox: "required", checks, ...more }),
	});
	repo.commit("Workflow");
	const before = contents(cache);
	const expectUntouched = (): void => {
		expect(before.size).toBeGreaterThan(100);
		expect(existsSync(join(cache, "planted"))).toBe(false);
		expect(contents(cache)).toEqual(before);
	};
	return { repo, env, expectUntouched };
}

// A fake one cannot tell what a compiler finds.
if (hasGo) {
	test("in a sandbox the user's Go cache is warm for each execution of a check, and never written", async () => {
		const { repo, env, expectUntouched } = library({});
		repo.write({ "lib.go": `${LIB}// more\n` });
		const { verdict, checks } = await check(repo, env);
		expect(verdict).toBe("pass");
		for (const { counts } of checks) expect(counts?.passed).toBe(1);
		expectUntouched();
	});

	test("in a sandbox an agent's work finds it warm, too, and cannot write it", async () => {
		const agent = ["sh", "-c", "echo '// more' >> lib.go"];
		const { repo, env, expectUntouched } = library({
			name: "warm",
			agents: { dev: { adapter: "command", run: agent } },
			human: { enabled: false },
			mutation: { when: "never" },
			tasks: { one: { agent: "dev", description: "Add a comment." } },
		});
		const { code, stdout, stderr } = await spar(repo, ["run", "--json"], { env });
		expect(code, stdout + stderr).toBe(0);
		expectUntouched();
	});
}
