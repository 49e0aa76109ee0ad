import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BATTERY } from "./battery.ts";

test("the architecture has a line for each entry, with its runs of the suite, and for no other", () => {
	const page = readFileSync("docs/architecture/evidence.md", "utf8");
	const [, section = ""] = page.split("## The battery\n");
	const [table = ""] = section.split("\n## ");
	const told = [...table.matchAll(/^\| `(\w+)` .*\| (\d+) +\|$/gm)].map(([, rule, runs]) => {
		return { rule, runs: Number(runs) };
	});
	expect(told).toEqual(BATTERY.map(({ rule, runs }) => ({ rule, runs })));
});
