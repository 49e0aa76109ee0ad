import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { filesAt, ignoredBy } from "./changes.ts";
import { openCheckout } from "./checkout.ts";
import { openRepository } from "./repository.ts";
import {
	type Files,
	git,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";
import { userIgnores } from "./user-ignores.ts";
import { openVault } from "./vault.ts";

/** A user with a home of their own, and a repository. */
function user(files: Files = { "a.txt": "a" }) {
	const home = scratchDirectory();
	const root = userRepository(files);
	const host = { path: standardHost.path, home };
	return {
		home,
		root,
		rules: async (more: { readonly configHome?: string } = {}) =>
			await userIgnores(await openRepository(root, { ...host, ...more })),
	};
}

const put = (path: string, text: string | Buffer): string => {
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, text);
	return path;
};

describe("the user's own ignore rules", () => {
	test("are those of the default place, then those of info/exclude, without comments", async () => {
		const at = user();
		put(join(at.home, ".config/git/ignore"), "\ufeff.DS_Store\r\n# no rule\n*.log");
		put(join(at.root, ".git/info/exclude"), "\n!keep.log\n");
		expect(await at.rules()).toEqual({ rules: ".DS_Store\r\n*.log\n!keep.log\n", unread: [] });
		const configHome = scratchDirectory();
		put(join(configHome, "git/ignore"), ".idea/\n");
		expect((await at.rules({ configHome })).rules).toBe(".idea/\n!keep.log\n");
	});

	test("follow core.excludesFile wherever git has it: below the home, through an include, relative, of a work tree", async () => {
		const at = user();
		put(join(at.home, ".config/git/ignore"), "default\n");
		put(join(at.home, "mine"), "of the home\n");
		put(join(at.home, ".gitconfig"), `[includeIf "gitdir:${at.root}/"]\n\tpath = more\n`);
		put(join(at.home, "more"), "[core]\n\texcludesFile = ~/mine\n");
		expect((await at.rules()).rules).toBe("of the home\n");
		put(join(at.root, "rules"), "of the project\n");
		git(at.root, "config", "core.excludesFile", "rules");
		expect((await at.rules()).rules).toBe("of the project\n");
		git(at.root, "config", "extensions.worktreeConfig", "true");
		git(at.root, "config", "--worktree", "core.excludesFile", put(join(at.home, "w"), "w\n"));
		expect((await at.rules()).rules).toBe("w\n");
	});

	test("are none where the file is switched off, is missing or is a device", async () => {
		const at = user();
		put(join(at.home, ".config/git/ignore"), "default\n");
		for (const value of ["", "/dev/null", "/missing/file"]) {
			git(at.root, "config", "core.excludesFile", value);
			expect(await at.rules(), value).toEqual({ rules: "", unread: [] });
		}
	});

	test("that cannot be read are told; too long ones are refused; a FIFO is not opened", async () => {
		const at = user();
		const folder = scratchDirectory();
		git(at.root, "config", "core.excludesFile", folder);
		expect((await at.rules()).unread).toEqual([`${folder} is not a file`]);
		execFileSync("mkfifo", [join(folder, "fifo")]);
		git(at.root, "config", "core.excludesFile", join(folder, "fifo"));
		expect((await at.rules()).unread).toHaveLength(1);
		const large = put(join(folder, "large"), Buffer.alloc(1_048_577, "a\n"));
		git(at.root, "config", "core.excludesFile", large);
		await expect(at.rules()).rejects.toMatchObject({ code: "repository-unsuitable" });
	});
});

/** A checkout in which rules of the user's count. */
async function checkoutWith(ignoreRules: string, files: Files) {
	const root = userRepository(files);
	const repository = await openRepository(root);
	const state = scratchDirectory();
	const vault = await openVault(repository, state, { ignoreRules });
	const dir = join(state, "checkout");
	const checkout = openCheckout(vault, { dir, indexFile: join(state, "index") });
	const base = repository.headCommit;
	await checkout.forceTo(base);
	const take = () => checkout.snapshot({ parent: base, message: "turn\n", at: 1e12, since: 0 });
	return { vault, dir, checkout, base, take, state };
}

describe("in a checkout", () => {
	thorough(
		"what the user's rules ignore is not committed, is no change, stays, and is named",
		async () => {
			const at = await checkoutWith(".env\n*.log\n.idea/\n!kept.log\n", {
				"old.log": "tracked",
				".gitignore": "out/\n",
			});
			writeFiles(at.dir, { ".env": "s", ".idea/x": "x", "sub/a.log": "a", "out/b.log": "b" });
			expect(await at.checkout.isUnchanged(at.base)).toBe(true);
			expect(await at.take()).toMatchObject({
				empty: true,
				userIgnored: [".env", ".idea/", "sub/a.log"],
			});
			writeFiles(at.dir, { "old.log": "changed", "kept.log": "k", "src.txt": "s" });
			const { commit, userIgnored } = await at.take();
			expect(userIgnored).toEqual([".env", ".idea/", "sub/a.log"]);
			expect((await filesAt(at.vault, commit)).map(({ path }) => path)).toEqual([
				".gitignore",
				"kept.log",
				"old.log",
				"src.txt",
			]);
			await at.checkout.forceTo(at.base);
			expect(readFileSync(join(at.dir, ".env"), "utf8")).toBe("s");
			expect(existsSync(join(at.dir, "src.txt"))).toBe(false);
			expect(readFileSync(join(at.dir, "old.log"), "utf8")).toBe("tracked");
			expect((await at.checkout.untracked(at.base)).ignored).toContain(".env");
		},
	);

	thorough(
		"the project's own rules stand above the user's, those that a player wrote too",
		async () => {
			const at = await checkoutWith(".env*\n", { ".gitignore": "!.env.example\n" });
			writeFiles(at.dir, { ".env": "s", ".env.example": "A=\n" });
			const { commit } = await at.take();
			expect((await filesAt(at.vault, commit)).map(({ path }) => path)).toEqual([
				".env.example",
				".gitignore",
			]);
			expect(await ignoredBy(at.vault, at.base, [".env", ".env.example", "a"])).toEqual([".env"]);
		},
	);

	test("what stood there before the work began is not named", async () => {
		const at = await checkoutWith("deps/\n", { "a.txt": "a" });
		writeFiles(at.dir, { "deps/x": "x" });
		const later = { parent: at.base, message: "turn\n", at: 1e12, since: Date.now() + 60_000 };
		expect((await at.checkout.snapshot(later)).userIgnored).toEqual([]);
	});

	test("an agent's own git sees the rules as well", async () => {
		const at = await checkoutWith(".env\n", { "a.txt": "a" });
		writeFiles(at.dir, { ".env": "s" });
		expect(git(at.dir, "status", "--porcelain")).toBe("");
		git(at.dir, "add", "-A");
		expect(git(at.dir, "ls-files")).toBe("a.txt");
	});
});
