import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONGEST_PATH } from "../../src/git/scan-tree.ts";
import { spread, thorough } from "../support/amount.ts";
import type { TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { scratch } from "./stage.ts";

const FILES = {
	"package.json": '{ "name": "calc", "scripts": { "test": "sh test.sh" } }\n',
	"test.sh": 'printf "TAP version 13\\n1..1\\nok 1 - works\\n"\n',
	"src/calc.js": "export const one = 1;\n",
	"far/a.js": "export const a = 1;\n",
};

/** Index, objects and names of a git directory: no check changes any of them. */
function standing({ root }: TestRepository): string {
	const index = createHash("sha256").update(readFileSync(join(root, ".git/index")));
	const files = readdirSync(join(root, ".git"), { recursive: true, encoding: "utf8" });
	return [index.digest("hex"), ...files.sort()].join("\n");
}

async function checked(repo: TestRepository) {
	const before = standing(repo);
	const { code, stdout, stderr } = await spar(repo, ["check", "--quick", "--json"]);
	expect(standing(repo)).toBe(before);
	expect(stderr).not.toContain("fsck");
	if (stdout === "") throw new Error(`no report (exit ${code}): ${stderr}`);
	const { files, integrity } = JSON.parse(stdout) as {
		readonly files: readonly string[];
		readonly integrity: { readonly notes: readonly string[] };
	};
	return { files, notes: integrity.notes };
}

interface Shape {
	readonly name: string;
	readonly make: (repo: TestRepository) => void;
	/** Beside `src/new.js`. */
	readonly files?: readonly string[];
	readonly note?: string;
}

const nested = (repo: TestRepository, name: string): void => {
	mkdirSync(join(repo.root, name));
	repo.git("-C", name, "init", "-q");
};

const LONG_NAME = "d".repeat(200);

const FAILS = ["config", "filter.broken.clean", "false"];

const SHAPES: readonly Shape[] = [
	{
		name: "a nested repository without commits",
		make: (repo) => nested(repo, "scratch"),
		note: "not part of this check: scratch/ (a repository without commits)",
	},
	{
		name: "a nested repository with commits, and a work tree of the same one",
		make: (repo) => {
			nested(repo, "inner");
			const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
			repo.git("-C", "inner", ...who, "commit", "-q", "--allow-empty", "-m", "inner");
			repo.git("worktree", "add", "-q", "--detach", "tree");
		},
		note: "not part of this check: inner/ (a repository of its own), tree/ (a repository of its own)",
	},
	{
		name: "an index that another git has locked",
		make: (repo) => repo.write({ ".git/index.lock": "" }),
	},
	{
		name: "a file that is to be added",
		make: (repo) => {
			repo.write({ "src/later.js": "export const later = 1;\n" });
			repo.git("add", "-N", "src/later.js");
		},
		files: ["src/later.js"],
	},
	{
		name: "files that stand outside of a sparse checkout",
		make: (repo) => {
			repo.git("sparse-checkout", "set", "src");
			repo.write({ "far/a.js": "export const a = 2;\n", "far/b.js": "export const b = 1;\n" });
		},
		files: ["far/a.js", "far/b.js"],
	},
	{
		name: "a file that is not in the encoding that its attributes name",
		make: (repo) => {
			repo.write({ ".gitattributes": "*.u16 working-tree-encoding=UTF-16LE\n", "bad.u16": "odd" });
		},
		files: [".gitattributes"],
		note: "not part of this check: bad.u16 (failed to encode 'bad.u16' from UTF-16LE to UTF-8)",
	},
	{
		name: "a filter that is required and fails",
		make: (repo) => {
			repo.write({
				".gitattributes": "*.x filter=broken\n*.y filter=unknown\n",
				"a.x": "x",
				"a.y": "y",
			});
			repo.git(...FAILS);
			repo.git("config", "filter.broken.required", "true");
		},
		files: [".gitattributes", "a.y"],
		note: "not part of this check: a.x (clean filter 'broken' failed)",
	},
	{
		name: "line ends that git would convert, and refuses to",
		make: (repo) => {
			repo.git("config", "core.autocrlf", "true");
			repo.git("config", "core.safecrlf", "true");
			repo.write({ "mixed.txt": "a\r\nb\n" });
		},
		files: ["mixed.txt"],
	},
	{
		name: "an index in parts",
		make: (repo) => {
			repo.git("config", "core.splitIndex", "true");
			repo.git("update-index", "--split-index", "--untracked-cache");
		},
	},
	{
		name: "a FIFO, also in the place of a file",
		make: ({ root }) => {
			rmSync(join(root, "far/a.js"));
			for (const name of ["pipe", "far/a.js"]) execFileSync("mkfifo", [join(root, name)]);
		},
		note: "not part of this check: far/a.js (can only add regular files, symbolic links or git-directories)",
	},
	{
		name: "a name that is not UTF-8",
		make: ({ root }) => {
			writeFileSync(Buffer.concat([Buffer.from(`${root}/n`), Buffer.of(0xff)]), "x");
		},
		files: ["n\\xff"],
	},
	{
		name: "a file that is too large",
		make: ({ root }) => {
			writeFileSync(join(root, "huge.bin"), "");
			truncateSync(join(root, "huge.bin"), 1_100 * 1_048_576);
		},
		note: "not part of this check: huge.bin (it has 1.1 GiB, more than the 1 GiB allowed for a file)",
	},
	{
		name: "a path that is too long for a checkout",
		// Step by step: as a whole it may be longer than the system takes.
		make: ({ root }) => {
			const names = Array.from({ length: 17 }, () => LONG_NAME);
			execFileSync(
				"sh",
				["-c", "for name; do mkdir $name; cd $name; done; : > leaf.txt", "sh", ...names],
				{ cwd: root },
			);
		},
		note: `not part of this check: ${LONG_NAME}... (it is nested too deeply: its path has more than ${LONGEST_PATH} bytes)`,
	},
	{
		name: "installed packages that nobody ignores, but for those of a sample and for kept ones",
		make: (repo) => {
			repo.write({
				"far/node_modules/kept.js": "",
				"far/package.json": "{}",
			});
			repo.git("add", "far");
			const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
			repo.git(...who, "commit", "--quiet", "--message=Keeps some");
			repo.write({
				"node_modules/a/index.js": "",
				"node_modules/a/test/a.test.js": 'test.skip("a");',
				"far/node_modules/more.js": "",
				"src/node_modules/fake.js": "",
				".venv/pyvenv.cfg": "",
				".venv/lib/a.py": "",
			});
		},
		files: ["far/node_modules/more.js", "src/node_modules/fake.js"],
		note: "not part of this check: .venv (installed packages, which no .gitignore names: add it there), node_modules (installed packages, which no .gitignore names: add it there)",
	},
	{
		name: "files that git is told not to look at",
		make: (repo) => {
			repo.git("update-index", "--skip-worktree", "src/calc.js");
			repo.git("update-index", "--assume-unchanged", "far/a.js");
			repo.write({ "src/calc.js": "export const one = 2;\n", "far/a.js": "export const a = 2;\n" });
		},
	},
];

for (const { name, make, files = [], note } of spread(SHAPES, 1))
	test(`a check takes what git can take, and names the rest: ${name}`, async () => {
		const repo = scratch({ files: FILES });
		repo.write({ "src/new.js": "export const fresh = 1;\n" });
		make(repo);
		const report = await checked(repo);
		expect(report.notes).toEqual(note === undefined ? [] : [note]);
		expect([...report.files].sort()).toEqual([...files, "src/new.js"].sort());
	});

// Root may read everything.
if (process.getuid?.() !== 0)
	test("files and folders that nobody may read are named", async () => {
		const repo = scratch({ files: FILES });
		repo.write({ "src/new.js": "", "data/secret": "x", "closed/a": "x" });
		chmodSync(join(repo.root, "data/secret"), 0);
		chmodSync(join(repo.root, "closed"), 0);
		const { files, notes } = await checked(repo);
		chmodSync(join(repo.root, "closed"), 0o700);
		expect(files).toEqual(["src/new.js"]);
		const why = "you have no right to read it";
		expect(notes).toEqual([`not part of this check: closed/ (${why}), data/secret (${why})`]);
	});

test("work of which git can take nothing is named where HEAD is judged instead", async () => {
	const repo = scratch({ files: FILES });
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write({ "src/new.js": "export const fresh = 1;\n" });
	repo.commit("New");
	nested(repo, "scratch");
	const { files, notes } = await checked(repo);
	expect(files).toEqual(["src/new.js"]);
	expect(notes).toEqual(["not part of this check: scratch/ (a repository without commits)"]);
});

thorough(
	"work of which git can take nothing is named where nothing else is there to judge",
	async () => {
		const repo = scratch({ files: FILES });
		nested(repo, "scratch");
		const { code, stderr } = await spar(repo, ["check", "--quick"]);
		expect(code).toBe(2);
		expect(stderr).toContain("not part of this check: scratch/ (a repository without commits)");
	},
);

thorough(
	"a submodule that moved or was added is named with its commits, and with the way on",
	async () => {
		const repo = scratch({ files: FILES });
		const library = join(repo.home, "library");
		repo.git("init", "--quiet", library);
		for (const key of ["name", "email"]) repo.git("-C", library, "config", `user.${key}`, "other");
		const release = (name: string): string => {
			writeFileSync(join(library, "a.js"), name);
			repo.git("-C", library, "add", "--all");
			repo.git("-C", library, "commit", "--quiet", `--message=${name}`);
			return repo.git("-C", library, "rev-parse", "HEAD");
		};
		const old = release("1");
		const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library];
		const violations = async (...args: readonly string[]) => {
			const { stdout } = await spar(repo, ["check", "--quick", "--json", ...args]);
			const { integrity } = JSON.parse(stdout) as {
				readonly integrity: { readonly violations: readonly string[] };
			};
			return integrity.violations;
		};
		repo.git(...add, "lib");
		const added = `lib: this submodule was added at commit ${old.slice(0, 10)}`;
		expect(await violations()).toEqual([expect.stringContaining(added)]);
		repo.commit("A submodule");
		const fresh = release("2");
		repo.git("-C", "lib", "-c", "protocol.file.allow=always", "pull", "--quiet");
		const [said] = await violations();
		expect(said).toContain(`moved from commit ${old.slice(0, 10)} to commit ${fresh.slice(0, 10)}`);
		expect(said).toContain("no allowance lets pass");
		expect(said).toContain("spar check --base COMMIT");
		const own = repo.commit("Moves it, of its own");
		repo.write({ "src/calc.js": "export const one = 2;\n" });
		repo.commit("The rest");
		expect(await violations("HEAD", "--base", own), "the way that it names").toEqual([]);
	},
);

test("a binary file is not shown as lines", async () => {
	const repo = scratch({ files: FILES });
	repo.write({ "data.dat": "a\0b\nsecond\n", "text.dat": "text\n" });
	const { stdout } = await spar(repo, ["check", "--quick"]);
	expect(stdout).toMatch(/\+ \(binary: 2 lines, not shown, [0-9a-f]{8}\)/);
	expect(stdout).not.toContain("second");
	expect(stdout).toContain("+ text");
});

thorough(
	"attributes that the work adds do not stay where the base's tests run without them",
	async () => {
		const repo = scratch({ files: FILES });
		repo.write({
			".gitattributes": "*.js text eol=crlf\n",
			"src/calc.js": "export const one = 2;\n",
		});
		const { stdout, stderr } = await spar(repo, ["check", "--json"]);
		expect(JSON.parse(stdout), stderr).toMatchObject({
			verdict: "pass",
			checks: [{ status: "pass" }, { status: "pass" }],
		});
	},
);
