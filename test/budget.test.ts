import { expect, test } from "vitest";
import {
	type Budget,
	beyond,
	folderCircles,
	readBudget,
	type SourceFile,
	sourceFiles,
	typeNames,
	weigh,
} from "./budget.ts";

const file = (path: string, text: string): SourceFile => ({ path, text });

test("no room is heavier than its budget, and what became lighter is written down (npm run budget)", () => {
	const files = sourceFiles();
	expect(files.length).toBeGreaterThan(300);
	expect(beyond(readBudget(), weigh(files))).toEqual([]);
});

test("a house is weighed by rooms: lines, files and the types declared at the top", () => {
	const files = [
		file("src/git/a.ts", "export type A = 1;\ninterface B {}\nconst f = () => { type C = 2; };\n"),
		file(
			"src/git/deep/b.ts",
			"export class A {}\nexport abstract class D {}\nexport const x = 1;\n",
		),
		file("src/cli/c.ts", "export function f() {}\n"),
	];
	expect(weigh(files)).toEqual({
		rooms: { cli: { lines: 1, files: 1, types: 0 }, git: { lines: 6, files: 2, types: 4 } },
		circles: [],
		repeated: ["A"],
	});
	expect(() => typeNames(file("src/a.ts", "type = {"))).toThrow(/src\/a\.ts/);
});

test("folders of a room that import each other are a circle, also by a lazy import; other rooms' are none", () => {
	const files = [
		file("src/app/a.ts", 'import { b } from "./run/b.ts";'),
		file("src/app/run/b.ts", 'const c = await import("../c.ts");'),
		file("src/app/run/d.ts", 'import { e } from "../doctor/e.ts";'),
		file("src/cli/x.ts", 'import { a } from "../app/a.ts";'),
		file("src/app/doctor/e.ts", 'import { x } from "../../cli/x.ts";'),
	];
	expect(folderCircles(files)).toEqual(["app <-> app/run"]);
});

const budget = (lines: number, more: Partial<Budget> = {}): Budget => ({
	rooms: { git: { lines, files: 2, types: 3 } },
	circles: [],
	repeated: [],
	...more,
});

test.each([
	["a line more", budget(1001), "git has 1001 lines, not 1000"],
	["much lighter", budget(700), "git is lighter by 300 lines"],
	[
		"a new room",
		budget(1000, { rooms: { cli: { lines: 1, files: 1, types: 0 } } }),
		"cli has no budget",
	],
	["a room that is gone", budget(1000, { rooms: {} }), "git is gone"],
	["a name declared again", budget(1000, { repeated: ["Told"] }), "new: Told"],
	["a new circle", budget(1000, { circles: ["a <-> a/b"] }), "new: a <-> a/b"],
	[
		"a file and a type more",
		budget(0, { rooms: { git: { lines: 900, files: 3, types: 4 } } }),
		"git has 3 files, not 2",
	],
])("%s is found", (_what, house, line) => {
	expect(beyond(budget(1000), house)).toContain(line);
});

test("what fits is not found, and a circle that is gone leaves the list", () => {
	expect(beyond(budget(1000), budget(950))).toEqual([]);
	expect(beyond(budget(1000, { circles: ["a <-> a/b"] }), budget(1000))).toEqual([
		"no longer: a <-> a/b",
	]);
});
