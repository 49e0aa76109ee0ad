import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../git/repository.ts";
import { git, userRepository, writeFiles } from "../git/scratch.fixture.ts";
import { requireCopies } from "./copies.ts";

const user = (): string => {
	const root = userRepository({
		".gitignore": ".env*\n/data/\n/link\n/pipe\n/sparring.local.yaml\n/nested/\n",
		"src/a.js": "1\n",
	});
	writeFiles(root, {
		".env": "A=1\n",
		".env.[test]": "A=2\n",
		"data/a/b.json": "{}\n",
		"data/c.txt": "c\n",
		"open.txt": "not ignored\n",
		"sparring.local.yaml": "",
		"nested/x": "",
	});
	symlinkSync("/etc/hostname", join(root, "link"));
	symlinkSync("c.txt", join(root, "data/inner"));
	execFileSync("mkfifo", [join(root, "pipe")]);
	git(join(root, "nested"), "init", "-q");
	return root;
};

async function copies(root: string, ...copy: string[]): Promise<readonly string[]> {
	const repository = await openRepository(root);
	const workflow = { copy, file: "sparring.local.yaml" };
	return await requireCopies(workflow, repository, repository.headCommit);
}

test("files, folders and globs of ignored files are found; links within the repository are followed", async () => {
	const root = user();
	expect(await copies(root)).toEqual([]);
	expect(await copies(root, ".env", "./data/")).toEqual([
		".env",
		"data/a/b.json",
		"data/c.txt",
		"data/inner",
	]);
	expect(await copies(root, ".env.[test]", "data/**/*.json")).toEqual([
		".env.[test]",
		"data/a/b.json",
	]);
});

test("the user's own ignore rules count", async () => {
	const root = user();
	writeFileSync(join(root, ".git/info/exclude"), "open.txt\n");
	expect(await copies(root, "open.txt")).toEqual(["open.txt"]);
	writeFileSync(join(root, ".git/info/exclude"), "");
});

test.each([
	["gone.env", "does not exist in /"],
	["src/a.js", "is tracked; it is part of every checkout anyway"],
	["src", "is tracked; it is part of every checkout anyway"],
	["open.txt", "is not ignored by git; add it to .gitignore, or commit it"],
	["link", "cannot be copied: link is a link that leads out of the repository"],
	["pipe", "does not exist"],
	["nested", "cannot be copied: nested/ is a repository of its own"],
	["sparring.local.yaml", "is the workflow file"],
])("%s cannot be copied: %s", async (path, why) => {
	const root = user();
	const refused = expect(copies(root, ".env", path)).rejects;
	await refused.toMatchObject({ code: "workflow-invalid" });
	await refused.toThrow(`sparring.local.yaml: copy: ${JSON.stringify(path)}`);
	if (path !== "pipe") await refused.toThrow(why);
});

test("what is too large is refused, with all other problems", async () => {
	const root = user();
	writeFileSync(join(root, "data/large"), "");
	truncateSync(join(root, "data/large"), 101 * 1_048_576);
	const refused = expect(copies(root, "data", "gone.env")).rejects;
	await refused.toThrow(/copy takes 101(?:\.\d)? MiB?B?, and the limit is 100/);
	await refused.toThrow("does not exist");
});
