import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changesBetween, textReader } from "./changes.ts";
import { keepChildren } from "./kept-children.ts";
import { commitAll, git, scene, writeFiles } from "./scratch.fixture.ts";

const MANY = Object.fromEntries(
	Array.from({ length: 1_200 }, (_, nth) => [
		`many/${nth % 7}/${nth}.js`,
		`export const n = ${nth};\n`,
	]),
);
const MESSAGE = "work";

test("a snapshot of very many new files is one pack, and later ones are none", async () => {
	const { checkout, dir, user, base } = await scene();
	writeFiles(dir, MANY);
	const { commit, empty } = await checkout.snapshot({ parent: base, message: MESSAGE, at: 0 });
	expect(empty).toBe(false);
	const packs = (): number =>
		readdirSync(join(user, ".git/objects/pack")).filter((name) => name.endsWith(".pack")).length;
	expect(packs()).toBe(1);
	expect(git(user, "ls-tree", "-r", "--name-only", commit).split("\n")).toHaveLength(1_201);
	git(user, "fsck", "--strict");
	writeFiles(dir, { "one.js": "one\n" });
	await checkout.snapshot({ parent: commit, message: MESSAGE, at: 0 });
	expect(packs()).toBe(1);
});

test("files that differ are read with few requests, each as it is", async () => {
	const { user, vault, base } = await scene({ "a.txt": "a\n", "big.bin": "small" });
	writeFiles(user, { ...MANY, "big.bin": Buffer.alloc(17_000_000, "x"), "last.txt": "last\n" });
	const commit = commitAll(user);
	const inner = keepChildren();
	onTestFinished(() => inner.end());
	let asked = 0;
	const kept: typeof inner = {
		...inner,
		ask: (child, request) => {
			asked += 1;
			return inner.ask(child, request);
		},
	};
	const counted = { ...vault, kept };
	const changes = await changesBetween(counted, base, commit);
	const read = textReader(counted, commit, { changes, side: "new" });
	asked = 0;
	const texts = await Promise.all(changes.map(({ path }) => read(path)));
	expect(asked).toBeLessThan(20);
	const byPath = new Map(changes.map(({ path }, nth) => [path, texts[nth]]));
	for (const [path, text] of Object.entries(MANY)) expect(byPath.get(path)).toBe(text);
	expect(byPath.get("big.bin")).toHaveLength(17_000_000);
	expect(byPath.get("last.txt")).toBe("last\n");
	const before = textReader(counted, base, { changes, side: "old" });
	expect(await before("big.bin")).toBe("small");
	expect(await before("a.txt")).toBe("a\n");
	expect(await before("last.txt")).toBeNull();
});
