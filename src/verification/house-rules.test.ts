import { expect, test } from "vitest";
import { isHouseRule } from "./hidden-tests.ts";

test.each([
	"AGENTS.md",
	"packages/a/CLAUDE.md",
	"CLAUDE.local.md",
	"GEMINI.md",
	".cursor/rules/a.mdc",
	".claude/skills/x/SKILL.md",
	".github/copilot-instructions.md",
	"SOP.md",
	"sops/release.txt",
	"docs/style.md",
	"api/doc/how.rst",
])("%s is a house rule", (path) => {
	expect(isHouseRule(path, [])).toBe(true);
});

test.each([
	"README.md",
	"docs/openapi.yaml",
	"src/agents.ts",
	"src/docs/render.ts",
	"test/fixtures/a.txt",
])("%s is part of the work", (path) => {
	expect(isHouseRule(path, ["src/agents.ts"])).toBe(false);
});

test("a context file is one where it is prose", () => {
	expect(isHouseRule("notes/plan.md", ["notes/plan.md"])).toBe(true);
});
