import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { withBaseFilters } from "./base-filters.ts";
import { changesBetween, diffText } from "./changes.ts";
import { openCheckout } from "./checkout.ts";
import { inspectFilters } from "./filter-findings.ts";
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
	writeFiles(home, { "bin/git-lfs": PROGRAM });
	chmodSync(join(home, "bin/git-lfs"), 0o755);
	host = { path: `${join(home, "bin")}:${standardHost.path}`, home };
	git(home, "config", "--file", ".gitconfig", "filter.lfs.clean", "git-lfs clean %f");
	git(home, "config", "--file", ".gitconfig", "filter.lfs.smudge", "git-lfs smudge %f");
	git(home, "config", "--file", ".gitconfig", "filter.lfs.required", "true");
	// Above what the package of a distribution sets for the whole machine.
	git(home, "config", "--file", ".gitconfig", "filter.lfs.process", "");
});

/** A user's repository whose `big.bin` went through the filter. */
async function filtered(files: Files = {}) {
	const user = userRepository({ "a.txt": "a\n" });
	writeFiles(user, { ".gitattributes": "*.bin filter=lfs -text\n", ...files });
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
		const { user, base, repository, vault, checkout, dir, indexFile } = await filtered();
		expect(await inspectFilters(repository, base)).toEqual([]);
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

	thorough("are Git LFS alone, whose paths a turn may add to and take from", async () => {
		const { user, base, checkout, dir } = await filtered();
		git(home, "config", "--file", ".gitconfig", "filter.evil.clean", "touch evil; cat");
		await checkout.forceTo(base);
		writeFiles(dir, {
			".gitattributes": "*.txt filter=evil\n*.bin filter=lfs -text\n*.dat filter=lfs -text\n",
			"sub/.gitattributes": "*.bin -filter\n",
			"a.txt": "b\n",
			"b.dat": "b\n",
			"sub/c.bin": "c\n",
		});
		const { commit } = await checkout.snapshot(request(base));
		expect(shown(user, `${commit}:a.txt`)).toBe("b");
		expect(shown(user, `${commit}:b.dat`)).toMatch(/^pointer /);
		expect(shown(user, `${commit}:sub/c.bin`)).toBe("c");
		expect(shown(user, `${commit}:big.bin`)).toBe("pointer 1-2");
		await checkout.forceTo(base);
		await checkout.forceTo(commit);
		expect(readFileSync(join(dir, "b.dat"), "utf8")).toBe("b\n");
		expect(readFileSync(join(dir, "big.bin"), "utf8")).toBe("the large content\n");
		expect([user, dir, home].filter((place) => existsSync(join(place, "evil")))).toEqual([]);
	});

	thorough(
		"run in the user's own work tree, so a relative name never leads to a player's file",
		async () => {
			const { user, base, repository, state, dir } = await filtered();
			git(home, "config", "--file", ".gitconfig", "filter.lfs.clean", "./keeper.sh | cat");
			git(home, "config", "--file", ".gitconfig", "filter.lfs.smudge", "cat");
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
			message: like(/the content of big\.bin is not in .*no 1-2 here/),
		});
		writeFiles(home, { "store/1-2": "the large content\n" });
		await checkout.forceTo(base);
		writeFiles(home, { "bin/git-lfs": "#!/bin/sh\nexit 3\n" });
		writeFiles(dir, { "new.bin": "new\n" });
		await expect(checkout.snapshot(request(base))).rejects.toMatchObject({
			code: "git-failed",
			message: like(/the clean command of the filter lfs failed for (?:big|new)\.bin/),
		});
	});

	thorough("leave a raw file of the base as it is, and its edits too", async () => {
		const { user, state } = await filtered();
		git(user, "rm", "-q", "--cached", "big.bin");
		writeFiles(user, { "raw.bin": "raw\n" });
		git(home, "config", "--file", ".gitconfig", "filter.lfs.smudge", "cat");
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
		for (const key of ["clean", "smudge"])
			git(home, "config", "--file", ".gitconfig", `filter.lfs.${key}`, "");
		const repository = await openRepository(user, host);
		const vault = await openVault(repository, state);
		expect(await withBaseFilters(vault, base)).toBe(vault);
		expect(await withBaseFilters(vault, git(user, "rev-parse", "HEAD~1"))).toBe(vault);
		expect(await inspectFilters(repository, base)).toMatchObject([
			{ refused: true, message: like("not set up for this user, such as for big.bin") },
		]);
	},
);

describe("before a run", () => {
	const linkGit = () => {
		const program = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
		symlinkSync(program, join(home, "bin/git"));
	};
	/** Where the PATH has the test's own programs alone, whatever this machine has. */
	const lfsRepository = async () => {
		const user = userRepository({ ".gitattributes": "*.bin filter=lfs\n", "a.bin": "x\n" });
		return await openRepository(user, { ...host, path: join(home, "bin") });
	};

	test("a filter that is not Git LFS is refused where the user's git would run it", async () => {
		const user = userRepository({ "a.txt": "a\n", "deep/b.key": "secret\n" });
		writeFiles(user, {
			".gitattributes": "*.none filter=crypt\n",
			"deep/.gitattributes": "# filter=crypt\n[attr]x filter=crypt\n*.key filter=crypt\n",
		});
		const base = commitAll(user, "keys");
		const repository = await openRepository(user, host);
		const vault = await openVault(repository, scratchDirectory());
		expect(await inspectFilters(repository, base)).toMatchObject([
			{ refused: false, message: like("the filter crypt is not in git's configuration") },
		]);
		expect(await withBaseFilters(vault, base)).toBe(vault);
		git(home, "config", "--file", ".gitconfig", "filter.crypt.clean", "cat");
		const message = like(
			"the filter crypt is not supported: Git LFS is the only one that runs in checkouts, such as for deep/b.key",
		);
		expect(await inspectFilters(repository, base)).toMatchObject([{ refused: true, message }]);
		await expect(withBaseFilters(vault, base)).rejects.toMatchObject({
			code: "repository-unsuitable",
			message: like("deep/b.key (.gitattributes:1)"),
			hint: like("git config --remove-section filter.crypt"),
		});
		// Of rules that name no file, nothing is lost.
		rmSync(join(user, "deep/b.key"));
		const without = commitAll(user, "no keys");
		expect(await inspectFilters(repository, without)).toEqual([]);
		expect(await withBaseFilters(vault, without)).toBe(vault);
	});

	test("a remark, and a name that only begins like it, ask for no Git LFS", async () => {
		linkGit();
		rmSync(join(home, "bin/git-lfs"));
		const user = userRepository({ "a.txt": "a\n" });
		writeFiles(user, {
			".gitattributes": " # *.bin filter=lfs\n*.bin filter=lfs-sim xfilter=lfs\n",
		});
		const base = commitAll(user, "attributes");
		const repository = await openRepository(user, { ...host, path: join(home, "bin") });
		expect(await inspectFilters(repository, base)).toEqual([]);
	});

	thorough("Git LFS must be installed and set up if files are tracked by it", async () => {
		linkGit();
		for (const key of ["clean", "smudge", "process"]) {
			git(home, "config", "--file", ".gitconfig", `filter.lfs.${key}`, "");
		}
		rmSync(join(home, "bin/git-lfs"));
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
});
