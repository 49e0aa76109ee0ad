import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { removeTree } from "./file-tree.ts";
import { runGit } from "./run-git.ts";
import { git, type Scene, scene, scratchDirectory, writeFiles } from "./scratch.fixture.ts";
import { removeTooLarge } from "./too-large.ts";
import { openVault, vaultPlace } from "./vault.ts";

const take = ({ checkout, base }: Scene) =>
	checkout.snapshot({ parent: base, message: "turn\n", at: 1_700_000_000_000 });

const fifo = (at: Scene, name: string) => {
	mkdirSync(join(at.dir, name, ".."), { recursive: true });
	rmSync(join(at.dir, name), { recursive: true, force: true });
	execFileSync("mkfifo", [join(at.dir, name)]);
};

const NAMES = [".gitignore", ".gitattributes", ".gitmodules"];

/** Directories within each other to a depth of 10,000 bytes, which no path can tell. */
function dig(top: string): void {
	mkdirSync(top, { recursive: true });
	const chain = join(...Array.from({ length: 100 }, () => "d".repeat(25)));
	const [inner, outer] = [join(top, "inner"), join(top, "outer")];
	mkdirSync(inner);
	for (let round = 0; round < 4; round += 1) {
		mkdirSync(join(outer, chain), { recursive: true });
		renameSync(inner, join(outer, chain, "inner"));
		renameSync(outer, inner);
	}
}

thorough("FIFOs with any name that git opens are removed and reported, at any depth", async () => {
	const at = await scene({ "sub/a": "a", ".gitignore": "ignored/\n", ".gitattributes": "" });
	const planted = [...NAMES, ...NAMES.map((name) => `sub/${name}`), "nest/.git/HEAD"];
	const unseen = ["ignored/.git/HEAD", "ignored/.gitignore"];
	for (const name of [...planted, ...unseen]) fifo(at, name);
	// The rules themselves are gone with the FIFO in their place.
	rmSync(join(at.dir, "ignored"), { recursive: true });
	const { unfit } = await take(at);
	expect(unfit.map(({ path }) => path).sort()).toEqual([...planted].sort());
	expect(new Set(unfit.map(({ why }) => why))).toEqual(
		new Set(["is a FIFO, a socket or a device"]),
	);
});

test("an ignored FIFO is removed and not reported", async () => {
	const at = await scene({ ".gitignore": "ignored/\n" });
	fifo(at, "ignored/.git/HEAD");
	fifo(at, "ignored/.gitignore");
	expect(await take(at)).toMatchObject({ unfit: [], empty: true });
	expect(existsSync(join(at.dir, "ignored/.gitignore"))).toBe(false);
});

thorough("no other method of a checkout blocks on a FIFO", async () => {
	const at = await scene({ "sub/a": "a" });
	for (const name of NAMES) fifo(at, `sub/${name}`);
	expect(await at.checkout.changedFiles(at.base)).toEqual([]);
	for (const name of NAMES) fifo(at, name);
	expect(await at.checkout.isUnchanged(at.base)).toBe(false);
	for (const name of NAMES) fifo(at, `new/${name}`);
	await at.checkout.forceTo(at.base);
	expect(await at.checkout.isUnchanged(at.base)).toBe(true);
});

thorough("a FIFO in a directory without permissions is removed", async () => {
	const at = await scene({ "sub/a": "a" });
	fifo(at, "sub/.gitattributes");
	chmodSync(join(at.dir, "sub"), 0o000);
	expect((await take(at)).unfit.map(({ path }) => path)).toEqual(["sub/.gitattributes"]);
});

test("a socket is reported too", async () => {
	const at = await scene();
	const server = createServer();
	await new Promise<void>((resolve) => {
		server.listen(join(at.dir, "s"), resolve);
	});
	onTestFinished(() => {
		server.close();
	});
	expect((await take(at)).unfit.map(({ path }) => path)).toEqual(["s"]);
});

thorough("a huge rule file is removed, a normal one stays", async () => {
	const at = await scene();
	writeFiles(at.dir, { "sub/.gitattributes": "* text\n", ".gitignore": "" });
	truncateSync(join(at.dir, ".gitignore"), 3 * 1_024 ** 4);
	const { unfit } = await take(at);
	expect(unfit.map(({ path }) => path)).toEqual([".gitignore"]);
	expect(unfit[0]?.why).toContain("allowed for a file with this name");
	expect(existsSync(join(at.dir, "sub/.gitattributes"))).toBe(true);
});

thorough(
	"directories deeper than the longest path are left out, reported, and can be removed",
	async () => {
		const at = await scene();
		dig(join(at.dir, "deep"));
		const { unfit, empty } = await take(at);
		expect(unfit).toHaveLength(1);
		expect(unfit[0]?.path).toMatch(/^deep\/inner\/d+\/.*\.\.\.$/);
		expect(unfit[0]?.why).toContain("nested too deeply");
		expect(empty).toBe(true);
		await at.checkout.forceTo(at.base);
		expect(existsSync(join(at.dir, "deep"))).toBe(false);
	},
);

thorough("a deep ignored directory does not prevent forcing to a commit", async () => {
	const at = await scene({ ".gitignore": "ignored/\n" });
	dig(join(at.dir, "ignored"));
	await at.checkout.forceTo(at.base);
	expect(await at.checkout.isUnchanged(at.base)).toBe(true);
	dig(join(at.dir, "ignored/again"));
	await at.checkout.remove();
	expect(existsSync(at.dir)).toBe(false);
});

thorough("a deep directory without permissions is removed", async () => {
	const top = join(scratchDirectory(), "top");
	dig(top);
	execFileSync("chmod", ["-R", "a-rwx", top]);
	await removeTree(top);
	expect(existsSync(top)).toBe(false);
});

test("a file of 3 TiB is left out and reported at once", async () => {
	const at = await scene({ "src/a": "a" });
	for (const name of ["big.bin", "src/a"]) {
		writeFileSync(join(at.dir, name), "");
		truncateSync(join(at.dir, name), 3 * 1_024 ** 4);
	}
	const { unfit } = await take(at);
	expect(unfit.map(({ path, why }) => `${path} ${why}`).sort()).toEqual([
		"big.bin has 3 TiB, more than the 1 GiB allowed for a file",
		"src/a has 3 TiB, more than the 1 GiB allowed for a file",
	]);
});

thorough(
	"files that are too large together lose the largest; ignored and unchanged ones do not count",
	async () => {
		const mib = 1_048_576;
		const at = await scene({ ".gitignore": "ignored\n", old: Buffer.alloc(9 * mib) });
		for (const [name, size] of [
			["ignored", 9],
			["one", 2],
			["two", 3],
			["three", 4],
			["small", 1],
		] as const) {
			writeFileSync(join(at.dir, name), "");
			truncateSync(join(at.dir, name), size * mib);
		}
		const place = {
			...vaultPlace(at.vault),
			cwd: at.dir,
			workTree: at.dir,
			indexFile: at.indexFile,
		};
		const removed = await removeTooLarge(place, { file: 8 * mib, commit: 6 * mib });
		expect(removed).toEqual([
			{ path: "three", why: "has 4 MiB, and all new files together exceed 6 MiB" },
		]);
		expect(existsSync(join(at.dir, "old")) && existsSync(join(at.dir, "ignored"))).toBe(true);
	},
);

thorough("an invalid .gitmodules does not stop a checkout with a nested repository", async () => {
	const at = await scene();
	git(at.dir, "init", "-q", "sub");
	git(join(at.dir, "sub"), "commit", "-q", "--allow-empty", "-m", "x");
	const settings = '[submodule "sub"]\n path=sub\n url=x\n update=!false\n';
	writeFiles(at.dir, { ".gitmodules": settings });
	const { commit, embedded } = await take(at);
	expect(embedded).toEqual(["sub"]);
	expect(await at.checkout.isUnchanged(commit)).toBe(false);
	expect(await at.checkout.changedFiles(at.base)).toEqual([".gitmodules"]);
	await at.checkout.forceTo(commit);
	expect(await at.checkout.isUnchanged(commit)).toBe(true);
	for (const text of ['[submodule "x"]\n bad line [[[\n', '[submodule "sub"]\n ignore=x\n']) {
		writeFiles(at.dir, { ".gitmodules": text });
		git(at.dir, "init", "-q", "sub");
		git(join(at.dir, "sub"), "commit", "-q", "--allow-empty", "-m", "x");
		expect((await take(at)).embedded).toEqual(["sub"]);
		await at.checkout.forceTo(at.base);
	}
});

thorough("git on a vault ends with its signal and at its timeout", async () => {
	const at = await scene();
	const path = join(at.dir, ".gitattributes");
	execFileSync("mkfifo", [path]);
	const controller = new AbortController();
	const vault = await openVault(at.repository, at.state, { signal: controller.signal });
	const place = { ...vaultPlace(vault), cwd: at.dir, workTree: at.dir, indexFile: at.indexFile };
	// Waits for a writer of the FIFO.
	writeFiles(at.dir, { new: "new" });
	const waiting = { args: ["add", "--all"], mayLock: true, parse: () => undefined };
	await expect(runGit({ ...place, timeoutMs: 300 }, waiting)).rejects.toMatchObject({
		code: "git-failed",
		message: `git add timed out after 300 ms in ${at.dir}`,
	});
	rmSync(`${at.indexFile}.lock`, { force: true });
	const running = runGit(place, waiting);
	controller.abort(new Error("cancelled"));
	await expect(running).rejects.toThrow("cancelled");
});
