import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rawChanges } from "./changes.ts";
import { compareTrees } from "./compare-trees.ts";
import { parseRawChanges } from "./parsing.ts";
import { scene, scratchDirectory } from "./scratch.fixture.ts";

/** Names that sort differently as files and as directories, and one that is no UTF-8. */
const NAMES = ["a", "a.b", "a-b", "a0", "ü", "\xff"];
const MODES = ["100644", "100755", "120000", "160000"];

interface File {
	readonly path: string;
	readonly mode: string;
	readonly text: string;
}

const file: fc.Arbitrary<File> = fc.record({
	path: fc
		.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
		.map((names) => names.join("/")),
	mode: fc.constantFrom(...MODES),
	text: fc.constantFrom("1", "2"),
});

const files = fc.array(file, { maxLength: 12 });

test("the files that differ between two trees are those that git tells, in its order", async () => {
	const { user, vault } = await scene({ a: "a" });
	const index = join(scratchDirectory(), "index");
	const run = (args: readonly string[], input: Buffer | string = ""): Buffer =>
		execFileSync("env", [`GIT_INDEX_FILE=${index}`, "git", ...args], { cwd: user, input });
	const oids = new Map(
		["1", "2"].map((text) => [text, run(["hash-object", "-w", "--stdin"], text).toString().trim()]),
	);
	const treeOf = (some: readonly File[]): string => {
		rmSync(index, { force: true });
		const lines = some.map(({ path, mode, text }) => `${mode} ${oids.get(text)}\t${path}\0`);
		// A file takes the place of a directory with its name, and the other way round.
		const input = Buffer.from(lines.join(""), "latin1");
		run(["update-index", "--add", "--replace", "-z", "--index-info"], input);
		return run(["write-tree"]).toString().trim();
	};
	await fc.assert(
		fc.asyncProperty(files, files, async (before, after) => {
			const [from, to] = [treeOf(before), treeOf(after)];
			const raw = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
			const told = parseRawChanges(run(["diff-tree", ...raw, from, to]));
			expect(await rawChanges(vault, from, to)).toEqual(told);
		}),
		{ numRuns: 20 },
	);
});

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const ID = "\x11".repeat(20);
const [ONE, TWO] = ["1".repeat(40), "2".repeat(40)];

const comparing = (one: string, two: string) =>
	compareTrees((ids) => Promise.resolve(ids.map((id) => bytes(id === ONE ? one : two))), ONE, TWO);

test("permissions of old versions of git are none that count", async () => {
	expect(await comparing(`100664 a\0${ID}`, `100644 a\0${ID}`)).toEqual([]);
	expect(await comparing(`100664 a\0${ID}`, `100775 a\0${ID}`)).toMatchObject([
		{ oldMode: "100644", newMode: "100755" },
	]);
});

test("ids may be those of SHA-256", async () => {
	const [one, two] = ["1".repeat(64), "2".repeat(64)];
	const read = (ids: readonly string[]) =>
		Promise.resolve(ids.map((id) => bytes(id === one ? "" : `100644 a\0${"\x22".repeat(32)}`)));
	expect(await compareTrees(read, one, two)).toEqual([
		{
			path: bytes("a"),
			oldMode: "000000",
			newMode: "100644",
			oldOid: "0".repeat(64),
			newOid: "22".repeat(32),
		},
	]);
});

test.each(["100644 a", "100644 a\0short", "nothing", `\0${ID}`])(
	"a tree that is damaged is a fault: %j",
	async (damaged) => {
		await expect(comparing("", damaged)).rejects.toMatchObject({ code: "git-failed" });
	},
);
