import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { type Files, git, scene, sceneOf, userRepository } from "../git/scratch.fixture.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { conventionsAt } from "./conventions.ts";

const TASK: Pick<TaskDefinition, "contextFiles" | "description"> = {
	contextFiles: [],
	description: "Do the work.",
};

async function told(files: Files, task: Partial<typeof TASK> = {}) {
	const { vault, base } = await scene(files);
	return await conventionsAt(vault, base, { ...TASK, ...task });
}

const pathsOf = async (...asked: Parameters<typeof told>): Promise<readonly string[]> =>
	(await told(...asked)).map(({ path }) => path);

const TREE: Files = {
	"AGENTS.md": "root\n",
	".github/copilot-instructions.md": "copilot\n",
	"packages/AGENTS.md": "packages\n",
	"packages/api/CLAUDE.md": "api\n",
	"packages/web/AGENTS.md": "web\n",
	"docs/GEMINI.md": "docs\n",
	"docs/README.md": "no instructions\n",
};

thorough(
	"instructions at the root concern every task, those of a folder the tasks that name it",
	async () => {
		const root = ["AGENTS.md", ".github/copilot-instructions.md"];
		expect(await pathsOf(TREE)).toEqual(root);
		const near = ["packages/api/CLAUDE.md", "packages/AGENTS.md", ...root];
		expect(await pathsOf(TREE, { contextFiles: ["packages/api/src/new.ts"] })).toEqual(near);
		expect(await pathsOf(TREE, { description: "Change packages/api/src/a.ts." })).toEqual(near);
		const outside = ["../AGENTS.md", "/packages/AGENTS.md", "packages/*/src/**"];
		expect(await pathsOf(TREE, { contextFiles: outside })).toEqual(["packages/AGENTS.md", ...root]);
	},
);

thorough("a text is told once, however many files or links hold it", async () => {
	const user = userRepository({
		"AGENTS.md": "Use tabs.\n",
		"GEMINI.md": "Use tabs.\n\n",
		".claude/CLAUDE.md": " \n",
	});
	symlinkSync("AGENTS.md", join(user, "CLAUDE.md"));
	git(user, "add", "-A");
	git(user, "commit", "-q", "-m", "links");
	const { vault, base } = await sceneOf(user);
	expect(await conventionsAt(vault, base, TASK)).toEqual([
		{ path: "AGENTS.md", text: "Use tabs.", isCut: false },
	]);
});

test("a link is followed inside of the commit, and nowhere else", async () => {
	const user = userRepository({ "docs/agents.md": "Use tabs.\n", "etc/hostname": "not meant\n" });
	symlinkSync("agents.md", join(user, "docs/all.md"));
	symlinkSync("docs/all.md", join(user, "AGENTS.md"));
	symlinkSync("/etc/hostname", join(user, "CLAUDE.md"));
	symlinkSync("../user/docs/agents.md", join(user, "GEMINI.md"));
	mkdirSync(join(user, ".github"));
	symlinkSync("copilot-instructions.md", join(user, ".github/copilot-instructions.md"));
	git(user, "add", "-A");
	git(user, "commit", "-q", "-m", "links");
	const { vault, base } = await sceneOf(user);
	expect(await conventionsAt(vault, base, TASK)).toEqual([
		{ path: "AGENTS.md", text: "Use tabs.", isCut: false },
	]);
});

test("32 KiB of all are told, the nearest first, and no character is cut in two", async () => {
	const files = {
		"src/AGENTS.md": "n".repeat(32 * 1024 - 4),
		"AGENTS.md": "aé€é",
		"CLAUDE.md": "late",
	};
	const [near, cut, ...rest] = await told(files, { contextFiles: ["src/a.ts"] });
	expect(near).toMatchObject({ path: "src/AGENTS.md", isCut: false });
	expect(cut).toEqual({ path: "AGENTS.md", text: "aé", isCut: true });
	expect(rest).toEqual([]);
});

thorough("bytes that are no text are left out", async () => {
	expect(
		await pathsOf({ "AGENTS.md": Buffer.from([0x41, 0]), "CLAUDE.md": "Use tabs.\n" }),
	).toEqual(["CLAUDE.md"]);
});
