import {
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MirrorRequest, mirror } from "./mirror.ts";

let place = "";
let from = "";
let to = "";
beforeEach(() => {
	place = mkdtempSync(join(tmpdir(), "mirror-"));
	[from, to] = [join(place, "user"), join(place, "own")];
	put(join(from, ".cache/browsers/one"), "1");
	put(join(from, ".config/tool/settings"), "mine");
	for (const name of ["b", "c"]) put(join(from, `projects/a/${name}`), name);
	age(from);
});
afterEach(() => rmSync(place, { recursive: true }));

function put(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

function age(folder: string): void {
	const at = Date.now() / 1_000 - 60;
	for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
		utimesSync(join(folder, path), at, at);
	utimesSync(folder, at, at);
}

const shown = (more: Partial<MirrorRequest> = {}) =>
	mirror({ from, to, limit: 100, treat: () => "default", ...more });

test("what is there is found, and what is new goes to the own folder", () => {
	shown();
	expect(readFileSync(join(to, ".cache/browsers/one"), "utf8")).toBe("1");
	put(join(to, ".cache/browsers/two"), "2");
	put(join(to, ".cache/answers/one"), "5");
	expect(existsSync(join(from, ".cache/browsers/two"))).toBe(false);
	expect(existsSync(join(from, ".cache/answers"))).toBe(false);
});

test("what stands in the own folder stands before the user's, and stays", () => {
	put(join(to, ".config/tool/settings"), "own");
	const { remove } = shown();
	expect(readFileSync(join(to, ".config/tool/settings"), "utf8")).toBe("own");
	put(join(to, ".cache/made"), "1");
	remove();
	expect(readdirSync(to, { recursive: true, encoding: "utf8" }).sort()).toEqual([
		".cache",
		".cache/made",
		".config",
		".config/tool",
		".config/tool/settings",
	]);
	expect(existsSync(join(from, ".cache/browsers/one"))).toBe(true);
});

test("a file that takes a link's place is kept", () => {
	const { remove } = shown();
	rmSync(join(to, ".config/tool/settings"));
	put(join(to, ".config/tool/settings"), "changed");
	remove();
	expect(readFileSync(join(to, ".config/tool/settings"), "utf8")).toBe("changed");
});

test("beyond the limit a folder is one link, or is left out", () => {
	shown({ limit: 6 });
	expect(lstatSync(join(to, ".cache")).isDirectory()).toBe(true);
	expect(lstatSync(join(to, "projects/a")).isSymbolicLink()).toBe(true);
	rmSync(to, { recursive: true });
	shown({ limit: 6, leaveRest: true });
	expect(existsSync(join(to, "projects/a"))).toBe(false);
});

test("a path can be one link, or not be shown", () => {
	shown({ treat: (path) => (path === "projects" ? "link" : "leave") });
	expect(readdirSync(to)).toEqual(["projects"]);
	expect(lstatSync(join(to, "projects")).isSymbolicLink()).toBe(true);
});

test("what is written through a link, or beside what is shown, is told", () => {
	// As old as the user's are.
	for (const path of [".config/tool/settings", ".config/tool", ".cache"])
		utimesSync(join(from, path), 1, 1);
	const { written } = shown();
	expect(written()).toEqual([]);
	writeFileSync(join(to, ".config/tool/settings"), "through");
	put(join(from, ".cache/answers/one"), "5");
	expect([...written()].sort()).toEqual([".cache/answers", ".config/tool/settings"]);
});

test("of a place that is missing nothing is shown", () => {
	const { remove } = mirror({
		from: join(place, "none"),
		to,
		limit: 100,
		treat: () => "default",
	});
	remove();
	expect(existsSync(from)).toBe(true);
});

test("of a folder that is in both, as much as fits is shown, and its folders first", () => {
	for (let at = 0; at < 30; at++) put(join(from, `note-${at}`), "1");
	mkdirSync(to);
	shown({ limit: 10 });
	expect(readdirSync(to)).toHaveLength(10);
	expect(readdirSync(to)).toContain(".cache");
});
