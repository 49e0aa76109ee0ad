import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asideOf, removeUnfinished } from "./aside.ts";

let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-aside-"));
});
afterEach(() => {
	rmSync(home, { recursive: true, force: true });
});

test("what a killed process left unfinished is removed, what a live one writes is not", async () => {
	const state = join(home, "state");
	mkdirSync(join(state, "index.77-abc123.tmp/inner"), { recursive: true });
	for (const name of [
		"a.json",
		"a.json.77-abc123.tmp",
		"b.json.78-abc123.tmp",
		"c.tmp",
		"index.77-abc123.tmp/index.lock",
	])
		writeFileSync(join(state, name), "");
	await removeUnfinished([home, join(home, "absent")], (pid) => pid === 78);
	expect(readdirSync(state)).toEqual(["a.json", "b.json.78-abc123.tmp", "c.tmp"]);
});

test("a name beside a path is another each time, and names this process", async () => {
	const names = [asideOf(join(home, "a")), asideOf(join(home, "a"))];
	expect(new Set(names).size).toBe(2);
	for (const name of names) writeFileSync(name, "");
	const asked: number[] = [];
	await removeUnfinished([home], (pid) => {
		asked.push(pid);
		return false;
	});
	expect(asked).toEqual([process.pid, process.pid]);
	expect(readdirSync(home)).toEqual([]);
});
