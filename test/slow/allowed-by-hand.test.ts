import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM } from "../support/program.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { tidyLater } from "../support/tidy.ts";

const suite = (skip: string, value = 3): string =>
	`const test = require("node:test");
const assert = require("node:assert");
const { add } = require("../add.js");
test${skip}("adds", () => assert.equal(add(1, 2), ${value}));
test("adds nothing", () => assert.equal(add(1, 0), 1));
`;

function project(): TestRepository {
	const repo = repository({
		files: {
			"package.json": '{ "scripts": { "test": "node --test" } }\n',
			"add.js": "exports.add = (a, b) => a + b;\n",
			"test/add.test.js": suite(""),
		},
	});
	tidyLater(() => repo.remove());
	const remote = join(repo.home, "remote.git");
	repo.git("init", "--quiet", "--bare", remote);
	repo.git("remote", "add", "origin", remote);
	repo.git("push", "--quiet", "origin", "main");
	return repo;
}

function install(repo: TestRepository, hook: "pre-push" | "pre-commit"): void {
	const folder = join(repo.root, ".git/hooks");
	mkdirSync(folder, { recursive: true });
	const file = join(folder, hook);
	writeFileSync(
		file,
		`#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" check --quick --hook ${hook}\n`,
	);
	chmodSync(file, 0o755);
}

interface Ran {
	readonly code: number | null;
	readonly said: string;
}

function run({ root, env }: TestRepository, words: readonly string[], input = ""): Ran {
	const [program = "", ...args] = words;
	const { status, stdout, stderr } = spawnSync(program, args, {
		cwd: root,
		env,
		encoding: "utf8",
		input,
	});
	return { code: status, said: `${stdout}${stderr}` };
}

/** The last command that a hook printed, as it stands there over its lines, with a reason of the user's. */
function offered({ said }: Ran): string {
	const text = said.replaceAll(/\s+/g, " ");
	const [, found] = /spar (check(?: \S+)*? --allow '[^']+')/.exec(text) ?? [];
	if (found === undefined) throw new Error(`no way on is offered: ${said}`);
	return `${process.execPath} ${PROGRAM} ${found} --quick`;
}

const atTerminal = (repo: TestRepository, command: string): Ran =>
	run(repo, ["script", "--quiet", "--return", "--command", command, "/dev/null"]);

const skipped = (repo: TestRepository): void => repo.write({ "test/add.test.js": suite(".skip") });

test("a refused push goes through once a person has allowed it at a terminal, and asks again for other contents", () => {
	const repo = project();
	install(repo, "pre-push");
	skipped(repo);
	repo.commit("Skips one");
	const push = (): Ran => run(repo, ["git", "push", "--quiet", "origin", "main"]);
	const refused = push();
	expect(refused.code, refused.said).not.toBe(0);
	expect(refused.said.replaceAll(/\s+/g, " ")).toContain("then push again");
	const way = offered(refused);
	// Whoever has no terminal may be the agent whose work this is.
	expect(run(repo, ["sh", "-c", way]).said).toMatch(/^pass/m);
	expect(push().code).not.toBe(0);
	const given = atTerminal(repo, way);
	expect(given.code, given.said).toBe(0);
	repo.write({ "add.js": "exports.add = (a, b) => a - b;\n" });
	repo.commit("Another product");
	expect(push().code, "what was allowed stood beside another product").not.toBe(0);
	repo.git("reset", "--quiet", "--hard", "HEAD^");
	const pushed = push();
	expect(pushed.code, pushed.said).toBe(0);
	expect(pushed.said, "what is allowed is said").toContain("the reason");
});

test("a refused commit goes through likewise", () => {
	const repo = project();
	install(repo, "pre-commit");
	skipped(repo);
	const commit = (): Ran => run(repo, ["git", "commit", "--quiet", "--all", "--message=Skips one"]);
	const refused = commit();
	expect(refused.code, refused.said).toBe(1);
	repo.git("add", "--all");
	expect(atTerminal(repo, offered(refused)).code).toBe(0);
	const made = commit();
	expect(made.code, made.said).toBe(0);
});

test("a session that was held back ends once a person has allowed it, and the person is told so", () => {
	const repo = project();
	const session = JSON.stringify({ session_id: "s", cwd: repo.root, hook_event_name: "Stop" });
	const stop = (): Ran =>
		run(repo, [process.execPath, PROGRAM, "check", "--quick", "--hook", "stop"], session);
	skipped(repo);
	expect(JSON.parse(stop().said.split("\n")[0] ?? "")).toMatchObject({ decision: "block" });
	const checked = run(repo, [process.execPath, PROGRAM, "check", "--quick"]);
	expect(atTerminal(repo, offered(checked)).code).toBe(0);
	const told = stop().said;
	expect(told).not.toContain('"block"');
	expect(told).toContain("the reason");
});
