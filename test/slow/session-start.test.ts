import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM } from "../support/program.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar, startSpar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { workflow } from "../support/workflow.ts";

const SUITE = `for name in one two; do
if grep -q bad src/$name.js; then echo "not ok - $name"; else echo "ok - $name"; fi
done
echo 1..2
`;

function project(): TestRepository {
	const repo = repository({
		files: {
			"src/one.js": "good\n",
			"src/two.js": "good\n",
			"test/suite.sh": SUITE,
			"sparring.yaml": workflow({
				agents: { dev: { adapter: "command", run: ["true"] } },
				tasks: { one: { agent: "dev", description: "x" } },
				checks: {
					tests: { kind: "acceptance", run: "sh test/suite.sh", report: { format: "tap" } },
				},
			}),
		},
	});
	tidyLater(() => repo.remove());
	return repo;
}

const BAD: Files = { "src/one.js": "bad\n" };
const GOOD: Files = { "src/one.js": "good as well\n" };
/** Of the user, who has not ended with it. */
const LEFT: Files = { "src/two.js": "bad\n" };

interface Called {
	readonly id?: string;
	readonly cwd?: string;
	readonly source?: string;
}

const inputOf = (repo: TestRepository, { id = "s-1", cwd = repo.root, source }: Called): string =>
	JSON.stringify({ session_id: id, cwd, source });

async function start(repo: TestRepository, called: Called = {}): Promise<string> {
	const input = inputOf(repo, { source: "startup", ...called });
	const { code, stdout, stderr } = await spar(repo, ["check", "--hook", "start"], { input });
	expect({ code, stdout }, "an agent would read it").toEqual({ code: 0, stdout: "" });
	expect(stderr).toMatch(/^(?:not )?noted: .+\n$/);
	return stderr;
}

/** Lets a session end, and tells what its hook said: a block, or the line of what was judged. */
async function stop(repo: TestRepository, called: Called = {}): Promise<string> {
	const input = inputOf(repo, called);
	const { code, stdout, stderr } = await spar(repo, ["check", "--hook", "stop"], { input });
	expect(code, stderr).toBe(0);
	expect(`${stdout}${stderr}`, "no hook is silent").not.toBe("");
	return stdout.includes('"block"') ? `block: ${stdout}` : `${stdout}${stderr}`;
}

const PASS = /^judged: .*: pass(?:, 1 test not counted \(red base: two\))?$/m;
const NOTHING =
	/^not judged: (?:the session changed nothing|what came since the session began counts as the work of others)$/m;
const UNNOTED =
	/^not judged: no start of this session was noted, so commits .* are not judged; `spar init --agents` installs the hook/m;
const ONE = /^block: .*one/;
const SHARED = "Another session works in this work tree too";

test("what a session commits on the default branch is judged, with what it edits after that", async () => {
	const repo = project();
	expect(await start(repo)).toContain(repo.git("rev-parse", "HEAD").slice(0, 10));
	expect(await stop(repo)).toMatch(NOTHING);
	repo.write(BAD);
	repo.commit("Breaks it");
	expect(await stop(repo)).toMatch(ONE);
	repo.write({ "notes.md": "an edit beside it\n" });
	expect(await stop(repo)).toMatch(ONE);
	repo.write(GOOD);
	expect(await stop(repo)).toMatch(PASS);
});

test("without a noted start the first stop is one, and an earlier session's place", async () => {
	const repo = project();
	expect(await stop(repo)).toMatch(UNNOTED);
	expect(await stop(repo), "nor is it known at the next one").toMatch(UNNOTED);
	repo.write(BAD);
	repo.commit("Breaks it");
	expect(await stop(repo)).toMatch(ONE);
	expect(await stop(repo, { id: "s-2" }), "since a session was here last").toMatch(/judged/);
});

test("what was committed before the first stop of a session that nobody noted is not called nothing", async () => {
	const repo = project();
	repo.write(BAD);
	repo.commit("Breaks it");
	expect(await stop(repo)).toMatch(UNNOTED);
	repo.write({ "notes.md": "an edit beside it\n" });
	const { stderr } = await spar(repo, ["check", "--hook", "stop"], { input: inputOf(repo, {}) });
	expect(stderr).toMatch(/^judged: .*, taken for the session's start, which nobody noted: /m);
});

test("without a noted start a topic is judged from where it left its upstream", async () => {
	const repo = project();
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write(BAD);
	repo.commit("Breaks it");
	expect(await stop(repo)).toMatch(ONE);
});

test("what a user left uncommitted is not the session's, and may be committed by it", async () => {
	const repo = project();
	repo.write(LEFT);
	expect(await start(repo)).toContain("with what is not committed there");
	expect(await stop(repo)).toMatch(NOTHING);
	repo.write(GOOD);
	expect(await stop(repo)).toMatch(PASS);
	repo.commit("All of it");
	repo.git("gc", "--quiet", "--prune=now");
	repo.write(BAD);
	expect(await stop(repo)).toMatch(ONE);
});

test("a session that goes on keeps its start, and one that nobody noted gets none in between", async () => {
	const repo = project();
	await start(repo);
	repo.write(BAD);
	for (const source of ["compact", "resume", "startup"])
		expect(await start(repo, { source })).toBe("not noted: this session began before\n");
	expect(await stop(repo)).toMatch(ONE);
	expect(await start(repo, { id: "s-2", source: "resume" })).toContain("began before");
	expect(await stop(repo, { id: "s-2" })).toMatch(ONE);
});

test("what comes in by a pull or a rebase is not the session's", async () => {
	const repo = project();
	const remote = join(repo.home, "remote.git");
	repo.git("init", "--quiet", "--bare", remote);
	repo.git("remote", "add", "origin", remote);
	repo.git("push", "--quiet", "--set-upstream", "origin", "main");
	const other = join(repo.home, "other");
	repo.git("clone", "--quiet", "--branch=main", remote, other);
	for (const key of ["name", "email"]) repo.git("-C", other, "config", `user.${key}`, "other");
	const incoming = (file: string, text: string): void => {
		writeFileSync(join(other, file), text);
		repo.git("-C", other, "add", "--all");
		repo.git("-C", other, "commit", "--quiet", "--message=Of others");
		repo.git("-C", other, "push", "--quiet");
	};
	await start(repo);
	incoming("src/two.js", "bad\n");
	repo.git("pull", "--quiet", "--ff-only");
	expect(await stop(repo)).toMatch(NOTHING);
	repo.write(GOOD);
	repo.commit("Of the session");
	incoming("third.txt", "3\n");
	repo.git("pull", "--quiet", "--rebase");
	expect(await stop(repo)).toMatch(
		/^judged: the session's work, 1 file .*: pass(?:, 1 test not counted \(red base: two\))?$/m,
	);
	repo.write(BAD);
	repo.commit("Breaks it");
	repo.git("push", "--quiet");
	expect(await stop(repo), "what it pushed is its own").toMatch(ONE);
});

test("on a branch that a session makes or goes to, only what it did there is judged", async () => {
	const repo = project();
	repo.git("checkout", "--quiet", "-b", "other");
	repo.write(LEFT);
	repo.commit("Of somebody else, and red");
	repo.git("checkout", "--quiet", "main");
	await start(repo);
	repo.git("checkout", "--quiet", "other");
	expect(await stop(repo)).toMatch(NOTHING);
	repo.write(GOOD);
	repo.commit("Of the session");
	expect(await stop(repo)).toMatch(
		/^judged: the session's work, 1 file .*: pass(?:, 1 test not counted \(red base: two\))?$/m,
	);
	repo.git("checkout", "--quiet", "-b", "fresh", "main");
	repo.write(BAD);
	repo.commit("Breaks it");
	expect(await stop(repo)).toMatch(ONE);
});

test("an amended and a rewritten commit are still the session's", async () => {
	const repo = project();
	await start(repo);
	repo.write(BAD);
	repo.commit("Breaks it");
	repo.git("commit", "--quiet", "--amend", "--message=Breaks it in other words");
	expect(await stop(repo)).toMatch(ONE);
	repo.git("reset", "--quiet", "--soft", "HEAD^");
	expect(await stop(repo)).toMatch(ONE);
	repo.git("reset", "--quiet", "--hard");
	expect(await stop(repo)).toMatch(NOTHING);
});

test("two sessions of one work tree have a start each", async () => {
	const repo = project();
	await start(repo);
	repo.write(BAD);
	repo.commit("Of the first");
	await start(repo, { id: "s-2" });
	expect(await stop(repo, { id: "s-2" })).toMatch(NOTHING);
	expect(await stop(repo)).toMatch(ONE);
});

test("a session that is held back while another one works in its work tree is told so", async () => {
	const repo = project();
	await start(repo);
	repo.write(BAD);
	expect(await stop(repo), "nobody else is there").not.toContain(SHARED);
	await start(repo, { id: "s-2" });
	expect(await stop(repo), "the other one began since").toContain(SHARED);
	repo.write({ ...BAD, "src/two.js": "bad\n" });
	expect(await stop(repo, { id: "s-2" }), "the first one stopped since").toContain(SHARED);
});

test("a session is not told of one that stopped before it began, and is of one that has not stopped yet", async () => {
	const repo = project();
	await start(repo);
	repo.write(GOOD);
	expect(await stop(repo)).toMatch(PASS);
	await start(repo, { id: "s-2" });
	repo.write(BAD);
	expect(await stop(repo, { id: "s-2" })).not.toContain(SHARED);
	const other = project();
	await start(other);
	await start(other, { id: "s-2" });
	other.write(BAD);
	expect(await stop(other, { id: "s-2" })).toContain(SHARED);
});

test("a linked work tree has starts of its own", async () => {
	const repo = project();
	await start(repo);
	const cwd = join(repo.home, "linked");
	repo.git("worktree", "add", "--quiet", "-b", "topic", cwd);
	writeFileSync(join(cwd, "src/one.js"), "bad\n");
	await start(repo, { id: "s-2", cwd });
	expect(await stop(repo, { id: "s-2", cwd })).toMatch(NOTHING);
	expect(await stop(repo, { cwd }), "the first went there").toMatch(ONE);
	expect(await stop(repo)).toMatch(NOTHING);
});

test("a start is noted nowhere but in a repository, and nothing fails for it", async () => {
	const repo = project();
	expect(await start(repo, { cwd: repo.home })).toMatch(/^not noted: /);
});

test("a hook acts once its JSON is whole, however it comes, with standard input open", async () => {
	const repo = project();
	repo.write(BAD);
	const text = JSON.stringify({ text: "}\n".repeat(200_000), session_id: "s-1", cwd: repo.root });
	const { child, ended, output } = startSpar(repo, ["check", "--hook", "stop"], {
		input: null,
	});
	for (let at = 0; at < text.length; at += 50_000) child.stdin?.write(text.slice(at, at + 50_000));
	child.stdin?.write("\n");
	expect((await ended).code, output().stderr).toBe(0);
	expect(output().stdout).toContain('"block"');
	child.stdin?.destroy();
});

test("a check that a check's command begins is refused", async () => {
	const repo = project();
	const told = join(repo.home, "told");
	mkdirSync(told);
	const again = `"${process.execPath}" "${PROGRAM}" check 2> "${told}/err"`;
	repo.write({ "test/suite.sh": `${again}\necho $? > "${told}/code"\n${SUITE}` });
	repo.commit("A suite that checks");
	repo.write(GOOD);
	const { code, stderr } = await spar(repo, ["check"]);
	expect(code, stderr).toBe(0);
	expect(readFileSync(join(told, "code"), "utf8")).toBe("2\n");
	expect(readFileSync(join(told, "err"), "utf8")).toContain("unsets SPAR_IN_CHECK");
});
