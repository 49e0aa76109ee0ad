import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { withBaseFilters } from "./base-filters.ts";
import { changesBetween, diffText } from "./changes.ts";
import { openCheckout } from "./checkout.ts";
import { inspectFilters, programOf } from "./filter-findings.ts";
import { commitMerge, forecastMerge } from "./merging.ts";
import { openRepository } from "./repository.ts";
import {
	commitAll,
	type Files,
	git,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";
import { type GitHost, standardHost } from "./standard-host.ts";
import { openVault } from "./vault.ts";

/** Keeps contents in a folder, and leaves a line that names them; says where it ran. */
const PROGRAM = `#!/bin/sh
store=$HOME/store
mkdir -p "$store"
pwd >> "$HOME/ran"
if [ "$1" = clean ]; then
	cat > "$store/new"
	sum=$(cksum < "$store/new" | tr ' ' -)
	if [ "$(head -c 8 "$store/new")" = "pointer " ]; then cat "$store/new"; exit; fi
	mv "$store/new" "$store/$sum"
	echo "pointer $sum"
else
	read -r word sum
	if [ "$word" != pointer ] || [ ! -f "$store/$sum" ]; then echo "no $sum here" >&2; exit 3; fi
	cat "$store/$sum"
fi
`;

let host: GitHost;
let home: string;

beforeEach(() => {
	home = scratchDirectory("spar-home-");
	mkdirSync(join(home, "bin"));
	writeFiles(home, { "bin/keeper": PROGRAM });
	chmodSync(join(home, "bin/keeper"), 0o755);
	host = { path: `${join(home, "bin")}:${standardHost.path}`, home };
	git(home, "config", "--file", ".gitconfig", "filter.keep.clean", "keeper clean %f");
	git(home, "config", "--file", ".gitconfig", "filter.keep.smudge", "keeper smudge %f");
	git(home, "config", "--file", ".gitconfig", "filter.keep.required", "true");
});

/** A user's repository whose `big.bin` went through the filter. */
async function filtered(files: Files = {}) {
	const user = userRepository({ "a.txt": "a\n" });
	writeFiles(user, { ".gitattributes": "*.bin filter=keep -text\n", ...files });
	writeFiles(home, { "store/1-2": "the large content\n" });
	writeFiles(user, { "big.bin": "pointer 1-2\n" });
	const base = commitAll(user, "pointers");
	const repository = await openRepository(user, host);
	const state = scratchDirectory();
	const plain = await openVault(repository, state);
	const vault = await withBaseFilters(plain, base);
	const place = { dir: join(state, "checkout"), indexFile: join(state, "index") };
	const checkout = openCheckout(vault, place);
	return { user, base, repository, vault, checkout, state, ...place };
}

/** Stands in an expected value for a text that contains or matches this. */
function like(part: string | RegExp): unknown {
	return typeof part === "string" ? expect.stringContaining(part) : expect.stringMatching(part);
}

const request = (parent: string) => ({ parent, message: "turn", at: 1_700_000_000_000 });
const shown = (user: string, name: string) => git(user, "cat-file", "blob", name);

describe("filters that the base commit names", () => {
	thorough("fill a checkout; commits, diffs and merges hold their pointers", async () => {
		const { user, base, vault, checkout, dir, indexFile } = await filtered();
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "big.bin"), "utf8")).toBe("the large content\n");
		rmSync(indexFile);
		expect(await checkout.isUnchanged(base)).toBe(true);
		expect(await checkout.changedFiles(base)).toEqual([]);
		writeFiles(dir, { "sub/new.bin": "new content\n", "a.txt": "b\n" });
		const { commit } = await checkout.snapshot(request(base));
		expect((await changesBetween(vault, base, commit)).map(({ path }) => path)).toEqual([
			"a.txt",
			"sub/new.bin",
		]);
		expect(shown(user, `${commit}:sub/new.bin`)).toMatch(/^pointer \d+-12$/);
		const { text } = await diffText(vault, base, commit, { maxBytes: 10_000 });
		expect(text).toContain("+pointer ");
		expect(text).not.toContain("content");
		const merge = await forecastMerge(vault, base, commit);
		const merged = await commitMerge(vault, {
			tree: merge.tree,
			parents: [base, commit],
			message: "merge",
			at: 1,
		});
		await checkout.forceTo(merged);
		expect(readFileSync(join(dir, "sub/new.bin"), "utf8")).toBe("new content\n");
	});

	thorough(
		"run by the base commit's attributes, whatever a player's attributes add or remove",
		async () => {
			const { user, base, checkout, dir } = await filtered();
			await checkout.forceTo(base);
			writeFiles(dir, {
				".gitattributes": "*.txt filter=keep\n*.bin -filter\n",
				"sub/.gitattributes": "* filter=keep\n",
				"sub/b.txt": "b\n",
				"sub/c.bin": "c\n",
			});
			const { commit } = await checkout.snapshot(request(base));
			expect(shown(user, `${commit}:sub/b.txt`)).toBe("b");
			expect(shown(user, `${commit}:sub/c.bin`)).toMatch(/^pointer /);
			expect(shown(user, `${commit}:big.bin`)).toBe("pointer 1-2");
			await checkout.forceTo(commit);
			expect(readFileSync(join(dir, "sub/b.txt"), "utf8")).toBe("b\n");
		},
	);

	thorough(
		"run in the user's own work tree, so a relative name never leads to a player's file",
		async () => {
			const { user, base, repository, state, dir } = await filtered();
			git(home, "config", "--file", ".gitconfig", "filter.keep.clean", "./keeper.sh | cat");
			git(home, "config", "--file", ".gitconfig", "filter.keep.smudge", "cat");
			writeFiles(user, { "keeper.sh": "#!/bin/sh\necho the user\n" });
			chmodSync(join(user, "keeper.sh"), 0o755);
			const vault = await withBaseFilters(await openVault(repository, state), base);
			const checkout = openCheckout(vault, { dir, indexFile: join(state, "index") });
			await checkout.forceTo(base);
			writeFiles(dir, { "keeper.sh": "#!/bin/sh\necho the player\n", "c.bin": "c\n" });
			chmodSync(join(dir, "keeper.sh"), 0o755);
			const { commit } = await checkout.snapshot(request(base));
			expect(shown(user, `${commit}:c.bin`)).toBe("the user");
		},
	);

	test("end a turn and a checkout when a required one fails", async () => {
		const { base, checkout, dir } = await filtered();
		rmSync(join(home, "store/1-2"));
		await expect(checkout.forceTo(base)).rejects.toMatchObject({
			code: "git-failed",
			message: like(/smudge command of the filter keep failed for big\.bin .*no 1-2 here/),
		});
		writeFiles(home, { "store/1-2": "the large content\n" });
		await checkout.forceTo(base);
		rmSync(join(home, "bin/keeper"));
		writeFiles(dir, { "new.bin": "new\n" });
		await expect(checkout.snapshot(request(base))).rejects.toMatchObject({
			code: "git-failed",
			message: like(/the clean command of the filter keep failed for (?:big|new)\.bin/),
		});
	});

	thorough("leave a raw file of the base as it is, and its edits too", async () => {
		const { user, state } = await filtered();
		git(user, "rm", "-q", "--cached", "big.bin");
		writeFiles(user, { "raw.bin": "raw\n" });
		git(home, "config", "--file", ".gitconfig", "filter.keep.smudge", "cat");
		const base = commitAll(user, "raw");
		const repository = await openRepository(user, host);
		const vault = await withBaseFilters(await openVault(repository, state), base);
		const place = { dir: join(state, "other"), indexFile: join(state, "other-index") };
		const checkout = openCheckout(vault, place);
		await checkout.forceTo(base);
		expect(await checkout.isUnchanged(base)).toBe(true);
		writeFiles(place.dir, { "raw.bin": "raw\nmore\n" });
		const { commit } = await checkout.snapshot(request(base));
		expect(shown(user, `${commit}:raw.bin`)).toBe("raw\nmore");
	});
});

thorough(
	"a repository without filters, or without their definition, keeps its vault as it is",
	async () => {
		const { user, base, state } = await filtered();
		git(home, "config", "--file", ".gitconfig", "--remove-section", "filter.keep");
		const repository = await openRepository(user, host);
		const vault = await openVault(repository, state);
		expect(await withBaseFilters(vault, base)).toBe(vault);
		expect(await withBaseFilters(vault, git(user, "rev-parse", "HEAD~1"))).toBe(vault);
		expect(await inspectFilters(repository, base)).toMatchObject([
			{ refused: false, message: like("such as for big.bin") },
		]);
	},
);

describe("before a run", () => {
	/** Where the PATH has the test's own programs alone, whatever this machine has. */
	const lfsRepository = async () => {
		const user = userRepository({ ".gitattributes": "*.bin filter=lfs\n", "a.bin": "x\n" });
		return await openRepository(user, { ...host, path: join(home, "bin") });
	};

	thorough(
		"a working filter gives no finding, one whose program is missing is refused",
		async () => {
			const { base, repository } = await filtered();
			expect(await inspectFilters(repository, base)).toEqual([]);
			rmSync(join(home, "bin/keeper"));
			expect(await inspectFilters(repository, base)).toMatchObject([
				{ refused: true, message: like("keeper"), place: { line: 1 } },
			]);
		},
	);

	thorough("Git LFS must be installed and set up if files are tracked by it", async () => {
		const program = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
		writeFiles(home, { "bin/git": `#!/bin/sh\nexec ${program} "$@"\n` });
		chmodSync(join(home, "bin/git"), 0o755);
		// Above what the package of a distribution sets for the whole machine.
		for (const key of ["clean", "smudge", "process"]) {
			git(home, "config", "--file", ".gitconfig", `filter.lfs.${key}`, "");
		}
		const nowhere = await lfsRepository();
		expect(await inspectFilters(nowhere, nowhere.headCommit)).toMatchObject([
			{
				refused: true,
				message: like("git-lfs"),
				hint: like("Debian: git-lfs"),
			},
		]);
		writeFiles(home, { "bin/git-lfs": "#!/bin/sh\n" });
		chmodSync(join(home, "bin/git-lfs"), 0o755);
		expect(await inspectFilters(nowhere, nowhere.headCommit)).toMatchObject([
			{
				refused: true,
				message: like("not set up"),
				hint: like("git lfs install"),
			},
		]);
	});

	thorough(
		"content that is missing in the Git LFS store is refused; lfs.storage is respected",
		async () => {
			writeFiles(home, { "bin/git-lfs": "#!/bin/sh\n" });
			chmodSync(join(home, "bin/git-lfs"), 0o755);
			git(home, "config", "--file", ".gitconfig", "filter.lfs.process", "git-lfs filter-process");
			const id = `${"ab".repeat(31)}cd`;
			const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize 3\n`;
			const user = userRepository({ ".gitattributes": "", "a.bin": pointer, "raw.bin": "raw" });
			writeFiles(user, { ".gitattributes": "*.bin filter=lfs\n" });
			const base = commitAll(user);
			const repository = await openRepository(user, host);
			expect(await inspectFilters(repository, base)).toMatchObject([
				{
					refused: true,
					message: like("1 file, such as for a.bin"),
					hint: like("git lfs pull"),
				},
			]);
			git(user, "config", "lfs.storage", "elsewhere");
			writeFiles(user, { [`.git/elsewhere/objects/ab/ab/${id}`]: "abc" });
			expect(await inspectFilters(repository, base)).toEqual([]);
		},
	);

	test("the program of a command is its first word, unless the command needs a shell", () => {
		expect(programOf("git lfs clean -- %f")).toBe("git-lfs");
		expect(programOf("./tool/x.sh %f")).toBe("./tool/x.sh");
		expect(programOf("A=1 tool")).toBeUndefined();
		expect(programOf("cd x && tool")).toBeUndefined();
		expect(programOf("")).toBeUndefined();
	});
});
