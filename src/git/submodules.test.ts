import {
	appendFileSync,
	chmodSync,
	existsSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { withBase } from "./base-vault.ts";
import { openCheckout } from "./checkout.ts";
import { openRepository } from "./repository.ts";
import type { Scene } from "./scratch.fixture.ts";
import {
	commitAll,
	git,
	sceneOf as plainSceneOf,
	scene,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";
import { takeSnapshot } from "./snapshot.ts";
import { missingSubmodules } from "./submodules.ts";
import { removeTooLarge } from "./too-large.ts";
import { vaultPlace } from "./vault.ts";

const take = ({ checkout, base }: Scene) =>
	checkout.snapshot({ parent: base, message: "turn\n", at: 1_700_000_000_000 });

/** With the vault of a run. */
async function sceneOf(user: string): Promise<Scene> {
	const at = await plainSceneOf(user);
	const vault = await withBase(at.vault, { baseBranch: "main", baseCommit: at.base });
	const checkout = openCheckout(vault, at);
	await checkout.forceTo(at.base);
	return { ...at, vault, checkout };
}

/** A user's repository with the submodule `vendor/lib`, which has `deep` as one of its own; where they came from is gone. */
function withSubmodules(): string {
	const deep = userRepository({ "d.txt": "d\n" });
	const library = userRepository({ "k.txt": "k\n", ".gitignore": "*.o\n" });
	git(library, "submodule", "add", "-q", deep, "deep");
	commitAll(library, "with a submodule");
	const user = userRepository();
	git(user, "submodule", "add", "-q", library, "vendor/lib");
	git(user, "submodule", "update", "--init", "--recursive", "-q");
	commitAll(user, "with a submodule");
	for (const gone of [deep, library]) rmSync(gone, { recursive: true });
	return user;
}

const read = ({ dir }: Scene, path: string) => readFileSync(join(dir, path), "utf8");

const expectFilled = (at: Scene): void => {
	expect(read(at, "vendor/lib/k.txt")).toBe("k\n");
	expect(read(at, "vendor/lib/deep/d.txt")).toBe("d\n");
	expect(git(at.dir, "status", "--porcelain")).toBe("");
	expect(git(join(at.dir, "vendor/lib"), "log", "-1", "--format=%s")).toBe("with a submodule");
};

thorough(
	"submodules and those in them are filled from the user's repository, and git works there",
	async () => {
		const user = withSubmodules();
		const at = await sceneOf(user);
		expectFilled(at);
		expect(await missingSubmodules(at.repository, at.base)).toEqual([]);
		expect(await at.checkout.isUnchanged(at.base)).toBe(true);
		const fetched = git(at.dir, "submodule", "update", "--init", "--recursive");
		expect(fetched).not.toContain("Cloning");
		await at.checkout.forceTo(at.base);
		expectFilled(at);
	},
);

test.each(
	spread<[string, (user: string) => void]>(
		[
			[
				"without its work tree",
				(user: string) => rmSync(join(user, "vendor"), { recursive: true }),
			],
			[
				"with its git directory in its work tree, as old versions of git have it",
				(user: string) => {
					rmSync(join(user, "vendor/lib/.git"));
					renameSync(join(user, ".git/modules/vendor/lib"), join(user, "vendor/lib/.git"));
					git(user, "config", "-f", "vendor/lib/.git/config", "--unset", "core.worktree");
				},
			],
			[
				"at another commit, with changes",
				(user: string) => {
					writeFiles(user, { "vendor/lib/k.txt": "later\n" });
					commitAll(join(user, "vendor/lib"), "later");
					writeFiles(user, { "vendor/lib/k.txt": "not committed\n" });
				},
			],
		],
		1,
	),
)("the recorded commit is filled from a submodule %s", async (_how, change) => {
	const user = withSubmodules();
	change(user);
	expectFilled(await sceneOf(user));
});

thorough(
	"a recorded repository without .gitmodules is filled from the user's work tree",
	async () => {
		const user = userRepository();
		git(user, "init", "-q", "nested");
		writeFiles(user, { "nested/n.txt": "n\n" });
		commitAll(join(user, "nested"));
		commitAll(user, "with a repository in it");
		const at = await sceneOf(user);
		expect(read(at, "nested/n.txt")).toBe("n\n");
		expect((await take(at)).empty).toBe(true);
	},
);

thorough(
	"what somebody left in a submodule is gone at the next use, but for ignored files, and is in no commit",
	async () => {
		const at = await sceneOf(withSubmodules());
		writeFiles(at.dir, {
			"vendor/lib/k.txt": "changed\n",
			"vendor/lib/new.txt": "",
			"vendor/lib/built.o": "",
			"vendor/lib/deep/d.txt": "changed\n",
			"own.txt": "own\n",
		});
		commitAll(join(at.dir, "vendor/lib/deep"), "of an agent");
		const { commit, embedded, leftOut, unfit } = await take(at);
		expect({ embedded, leftOut, unfit }).toEqual({ embedded: [], leftOut: [], unfit: [] });
		expect(git(at.user, "diff", "--name-only", at.base, commit)).toBe("own.txt");
		expect((await at.checkout.untracked(commit)).others).toEqual(["vendor/lib/new.txt"]);
		await at.checkout.forceTo(commit);
		expectFilled(at);
		expect(existsSync(join(at.dir, "vendor/lib/new.txt"))).toBe(false);
		expect(existsSync(join(at.dir, "vendor/lib/built.o"))).toBe(true);
	},
);

thorough(
	"a submodule that was removed, replaced or emptied comes back, and stays recorded",
	async () => {
		const at = await sceneOf(withSubmodules());
		const lib = join(at.dir, "vendor/lib");
		for (const spoil of [
			() => rmSync(lib, { recursive: true }),
			() => rmSync(join(at.dir, "vendor"), { recursive: true }),
			() => rmSync(join(lib, ".git"), { recursive: true }),
			() => writeFileSync(join(lib, ".git/HEAD"), "nonsense"),
			() => rmSync(join(lib, "k.txt")),
		]) {
			spoil();
			expect((await take(at)).empty).toBe(true);
			await at.checkout.forceTo(at.base);
			expectFilled(at);
		}
	},
);

thorough("a link in place of a submodule's folder, or of one above it, leads nowhere", async () => {
	const at = await sceneOf(withSubmodules());
	for (const path of ["vendor", "vendor/lib"]) {
		const outside = scratchDirectory();
		writeFiles(outside, { "lib/precious": "p", precious: "p" });
		rmSync(join(at.dir, path), { recursive: true });
		symlinkSync(outside, join(at.dir, path));
		await take(at);
		await at.checkout.forceTo(at.base);
		expectFilled(at);
		expect(existsSync(join(outside, "lib/precious"))).toBe(true);
		expect(existsSync(join(outside, "lib/k.txt"))).toBe(false);
		expect(existsSync(join(outside, "precious"))).toBe(true);
	}
});

thorough("a snapshot runs nothing that a submodule's own git directory names", async () => {
	const at = await sceneOf(withSubmodules());
	const program = join(at.state, "evil.sh");
	writeFileSync(program, `#!/bin/sh\ntouch "${at.state}/ran"\ncat\n`);
	chmodSync(program, 0o755);
	const lib = join(at.dir, "vendor/lib");
	rmSync(join(lib, ".git"), { recursive: true });
	git(lib, "init", "-q");
	writeFiles(lib, { ".gitattributes": "* filter=evil\n" });
	commitAll(lib);
	git(lib, "config", "filter.evil.clean", program);
	writeFiles(lib, { "k.txt": "as long\n" });
	await take(at);
	await at.checkout.isUnchanged(at.base);
	await at.checkout.forceTo(at.base);
	expect(existsSync(join(at.state, "ran"))).toBe(false);
	expectFilled(at);
});

thorough(
	"a submodule that the user does not have is named, and what a setup fetches stays usable",
	async () => {
		const user = withSubmodules();
		const clone = join(scratchDirectory(), "clone");
		git(user, "clone", "-q", user, clone);
		const at = await sceneOf(clone);
		expect(await missingSubmodules(at.repository, at.base)).toEqual(["vendor/lib"]);
		const modules = join(user, ".git/modules/vendor/lib");
		git(at.dir, "config", "submodule.vendor/lib.url", modules);
		git(at.dir, "submodule", "update", "-q", "vendor/lib");
		const lib = join(at.dir, "vendor/lib");
		git(lib, "config", "submodule.deep.url", join(modules, "modules/deep"));
		git(lib, "submodule", "update", "-q", "deep");
		rmSync(user, { recursive: true });
		writeFiles(at.dir, { "vendor/lib/k.txt": "changed\n" });
		expect((await take(at)).empty).toBe(true);
		const again = openCheckout(at.vault, { dir: at.dir, indexFile: at.indexFile });
		for (const checkout of [at.checkout, again]) {
			await checkout.forceTo(at.base);
			expectFilled(at);
		}
		await at.checkout.remove();
		await at.checkout.forceTo(at.base);
		expect(existsSync(join(lib, "k.txt"))).toBe(false);
	},
);

thorough(
	"a submodule in a submodule that the user does not have is named by its whole path",
	async () => {
		const user = withSubmodules();
		rmSync(join(user, ".git/modules/vendor/lib/modules"), { recursive: true });
		const repository = await openRepository(user);
		expect(await missingSubmodules(repository, repository.headCommit)).toEqual(["vendor/lib/deep"]);
	},
);

thorough(
	"a commit without all its files counts as missing, and nothing is fetched for it",
	async () => {
		const user = withSubmodules();
		const lib = join(user, ".git/modules/vendor/lib");
		const blob = git(join(user, "vendor/lib"), "rev-parse", "HEAD:k.txt");
		rmSync(join(lib, "objects", blob.slice(0, 2), blob.slice(2)));
		git(lib, "config", "remote.origin.promisor", "true");
		git(lib, "config", "remote.origin.url", `ext::touch ${join(lib, "fetched")}`);
		const repository = await openRepository(user);
		expect(await missingSubmodules(repository, repository.headCommit)).toEqual(["vendor/lib"]);
		expect(existsSync(join(lib, "fetched"))).toBe(false);
	},
);

thorough("a large file in a submodule is no part of a commit, and stays", async () => {
	const { vault, dir, indexFile } = await sceneOf(withSubmodules());
	const large = Buffer.alloc(2_000_000, "x");
	writeFiles(dir, { "vendor/lib/large.bin": large, "large.bin": large });
	const place = { ...vaultPlace(vault), cwd: dir, workTree: dir, indexFile };
	const removed = await removeTooLarge(place, { file: 1_500_000, commit: 1_500_000 });
	expect(removed.map(({ path }) => path)).toEqual(["large.bin"]);
	expect(existsSync(join(dir, "vendor/lib/large.bin"))).toBe(true);
});

thorough("where git cannot add at all it says why itself, and no path is to blame", async () => {
	const at = await scene();
	writeFiles(at.dir, { "b.txt": "b\n" });
	for (const path of ["vault.git/config", "vault.git/plain.git/config"])
		appendFileSync(join(at.state, path), "[add]\n\tignoreErrors = nonsense\n");
	await expect(take(at)).rejects.toThrow(/git add failed .*bad boolean config value 'nonsense'/);
});

test.runIf(process.platform === "linux")(
	"where git cannot store objects no path is to blame",
	async () => {
		const { vault, dir, indexFile, base } = await scene();
		writeFiles(dir, { "b.txt": "b\n" });
		const at = { ...vaultPlace(vault), cwd: dir, workTree: dir, indexFile };
		const request = { parent: base, message: "turn\n", at: 0 };
		const taken = takeSnapshot({ ...at, objectsDir: "/proc" }, vault, request);
		await expect(taken).rejects.toThrow(/git add failed .*unable to index file 'b.txt'/s);
	},
);
