import { expect, test } from "vitest";
import type { CommitView } from "../../formats/commit-view.ts";
import { abandonedBy } from "./abandoned.ts";

const viewOf = (texts: Readonly<Record<string, string>>): CommitView => ({
	files: () => Promise.resolve(new Set(Object.keys(texts))),
	texts: (paths) =>
		Promise.resolve(
			new Map(paths.flatMap((path) => (path in texts ? [[path, texts[path] ?? ""]] : []))),
		),
	changes: () => Promise.reject(new Error("not asked")),
});

const FEE = "export const fee = (n) => n / 10;\n";
const tests = (module: string): string => `import { fee } from "${module}";\n`;
const BASE = { "src/fee.js": FEE, "test/fee.test.js": tests("../src/fee.js") };

const abandoned = (head: Readonly<Record<string, string>>, ...now: readonly string[]) =>
	abandonedBy({
		base: viewOf(BASE),
		head: viewOf(head),
		isTest: (path) => path.includes("test/"),
		before: ["test/fee.test.js"],
		now,
	});

test("a product whose tests moved beside a copy of it is abandoned", async () => {
	const copied = {
		"src/fee.js": FEE,
		"packages/a/src/fee.js": FEE,
		"packages/a/test/fee.test.js": tests("../src/fee.js"),
	};
	expect(await abandoned(copied, "packages/a/test/fee.test.js")).toEqual(["src/fee.js"]);
});

test("one that tests reach, that leads to what they test, that is gone or empty is not", async () => {
	const moved = { "lib/fee.js": FEE, "test/fee.test.js": tests("../lib/fee.js") };
	const now = "test/fee.test.js";
	expect(await abandoned(BASE, now)).toEqual([]);
	expect(await abandoned(moved, now)).toEqual([]);
	const handedOn = { ...moved, "src/fee.js": 'export { fee } from "../lib/fee.js";\n' };
	expect(await abandoned(handedOn, now)).toEqual([]);
	const below = { ...moved, "src/fee.js": FEE, "lib/fee.js": tests("../src/fee.js") };
	expect(await abandoned(below, now)).toEqual([]);
	expect(await abandoned({ ...moved, "src/fee.js": "\n" }, now)).toEqual([]);
});
