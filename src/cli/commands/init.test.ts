import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { spar } from "../fakes.contract.ts";

let directory = "";
beforeEach(async () => {
	directory = realpathSync(await mkdtemp(path.join(tmpdir(), "spar-init-")));
	mkdirSync(path.join(directory, ".git"));
});
afterEach(async () => {
	await rm(directory, { recursive: true, force: true });
});

const NEXT = "Next: edit the task in it and commit it. Then: spar doctor, and spar run\n";

test("standard output has the path; what was found and what is next is talk", async () => {
	const PATH = path.join(directory, "bin");
	mkdirSync(PATH);
	for (const name of ["claude", "goose", "opencode"])
		writeFileSync(path.join(PATH, name), "", { mode: 0o755 });
	writeFileSync(path.join(directory, "requirements.txt"), "pytest\n");
	const { code, out, err } = await spar(["init"], { directory, env: { PATH } });
	expect([code, out]).toEqual([0, `${path.join(directory, "sparring.yaml")}\n`]);
	// Without an option among the words, too.
	const [schema] = readFileSync(path.join(directory, "sparring.yaml"), "utf8").split("\n");
	expect(existsSync(schema?.replace(/^.*\$schema=/, "") ?? "")).toBe(true);
	expect(err).toBe(
		`agents  player claude, coach opencode; without a seat: goose
setup   python3 -m venv .venv
setup   .venv/bin/python -m pip install -r requirements.txt
tests   .venv/bin/python -m pytest
ignore  add .venv to .gitignore before the first run
${NEXT}`,
	);
});

thorough("what was not found is said, and a file that is there is left alone", async () => {
	const first = await spar(["init"], { directory });
	expect(first).toMatchObject({
		code: 0,
		err: `agents  none on the PATH; install one of claude, codex, gemini, opencode, qwen, goose, copilot, claude-agent-acp, codex-acp, or write yours into the file
tests   no command found; write yours into the file
${NEXT}`,
	});
	const again = await spar(["init"], { directory });
	expect([again.code, again.out]).toEqual([2, ""]);
	expect(again.err).toContain("spar init --force");
	expect((await spar(["init", "--force"], { directory })).code).toBe(0);
	await rm(path.join(directory, ".git"), { recursive: true });
	expect((await spar(["init"], { directory })).code).toBe(2);
	expect(existsSync(path.join(directory, ".sparring"))).toBe(false);
});

test("for agents it writes no workflow file, and says of each file what became of it", async () => {
	mkdirSync(path.join(directory, ".claude"));
	const first = await spar(["init", "--agents"], { directory });
	expect([first.code, first.out]).toEqual([
		0,
		"written    .claude/skills/sparring/SKILL.md\nwritten    .claude/settings.json\n",
	]);
	expect(existsSync(path.join(directory, "sparring.yaml"))).toBe(false);
	expect(first.err).toContain("commit them");
	const again = await spar(["init", "--agents", "--json"], { directory });
	expect(JSON.parse(again.out)).toMatchObject([{ outcome: "unchanged" }, { outcome: "unchanged" }]);
	expect(again.err).toBe("");
	const gone = await spar(["init", "--agents", "--remove"], { directory });
	expect(gone.out).toContain("removed    .claude/settings.json");
	const nothing = await spar(["init", "--agents", "--remove"], { directory });
	expect(nothing.out).toBe("nothing of Sparring's is here\n");
	for (const args of [["--remove"], ["--agents", "--force"]])
		expect((await spar(["init", ...args], { directory })).code).toBe(2);
});
