import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asideOf, removeUnfinished } from "./aside.ts";

let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-aside-"));
});
afterEach(() => {
	rmSync(home, { recursive: true, force: true });
});

/** A name of a process that began long ago. */
const old = (path: string, pid: number): string => `${path}.${pid}-1-abc123.tmp`;

function write(...names: readonly string[]): void {
	for (const name of names) {
		mkdirSync(dirname(join(home, name)), { recursive: true });
		writeFileSync(join(home, name), "");
	}
}

const left = (): string[] =>
	readdirSync(home, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(home, join(entry.parentPath, entry.name)))
		.toSorted();

const isAlive = (pid: number): boolean => pid === 78;

test("what a killed process left unfinished is removed, what a live one writes is not", async () => {
	write("a.json", old("a.json", 77), old("b.json", 78), "c.tmp", old("deep/d", 77));
	await removeUnfinished([{ directory: home }, { directory: join(home, "absent") }], isAlive);
	expect(left()).toEqual(["a.json", old("b.json", 78), "c.tmp", old("deep/d", 77)]);
	await removeUnfinished([{ directory: home, below: true }], isAlive);
	expect(left()).toEqual(["a.json", old("b.json", 78), "c.tmp"]);
});

test("a folder of such a name goes only where it can be nobody else's", async () => {
	write(`${old("task", 77)}/turn.log`, old(`${old("task", 77)}/other`, 77));
	await removeUnfinished([{ directory: home, below: true }], isAlive);
	expect(left()).toEqual([`${old("task", 77)}/turn.log`]);
	await removeUnfinished([{ directory: home, folders: true }], isAlive);
	expect(left()).toEqual([]);
});

test("of this process everything stays, and of an earlier one with its number nothing", async () => {
	const names = [asideOf(join(home, "a")), asideOf(join(home, "a"))];
	expect(new Set(names).size).toBe(2);
	for (const name of names) writeFileSync(name, "");
	write(old("a", process.pid));
	await removeUnfinished([{ directory: home }], () => false);
	expect(left()).toEqual(names.map((name) => basename(name)).toSorted());
});
