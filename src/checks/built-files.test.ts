import { expect, test } from "vitest";
import { builtFiles } from "./built-files.ts";

test("code with the name of a tracked file is built from it; settings, data and other code are not", () => {
	const tracked = ["src/calc.ts", "src/index.ts", "data/cases.json", "README.md"];
	const ignored = [
		"dist/calc.js",
		"dist/calc.min.js",
		"dist/index.d.ts",
		".env",
		"local/config.js",
		"local/cases.json",
	];
	expect(builtFiles(ignored, tracked)).toEqual(ignored.slice(0, 3));
});
