import { expect, test } from "vitest";
import { namedPaths } from "./named-paths.ts";

test("paths are named by words, from the root and from the folder of their file", () => {
	const text = `import x from "./data/a.json"; read("../.env") // see fixtures/b.`;
	const found = namedPaths(text, [], "test/a.test.js");
	for (const path of ["test/data/a.json", ".env", "fixtures/b"]) expect(found).toContain(path);
});

test("what a program prints names files of its checkout by absolute paths and places", () => {
	const text =
		"ENOENT: open '/work/checks/.env'\n at file:///work/checks/src/a.js:3:14\n/etc/passwd";
	expect(namedPaths(text, ["/work/checks"])).toEqual(expect.arrayContaining([".env", "src/a.js"]));
	expect(namedPaths(text, ["/work/checks"])).not.toContain("etc/passwd");
});
