import fc from "fast-check";
import { expect, test } from "vitest";
import { Beginnings } from "./beginnings.ts";

const text = fc.string({
	unit: fc.constantFrom("a", "B", "b", "1", "q", "ü", "\n"),
	maxLength: 30,
});

test("every place where a text begins is told, whatever its case", () => {
	const beginning = fc.string({ unit: fc.constantFrom("a", "b", "1"), minLength: 3, maxLength: 5 });
	fc.assert(
		fc.property(fc.uniqueArray(beginning, { maxLength: 6 }), text, (all, searched) => {
			const told = new Set<string>();
			new Beginnings(all.map((each) => [each, each])).find(searched, (each, start) => {
				told.add(`${each} ${start}`);
			});
			for (const each of all) {
				for (let start = 0; start < searched.length; start += 1) {
					if (!searched.toLowerCase().startsWith(each, start)) continue;
					expect(told).toContain(`${each} ${start}`);
				}
			}
		}),
	);
});

test("other places are hardly told, and none before the text", () => {
	const told: number[] = [];
	const finder = new Beginnings([["abc", 1]]);
	finder.find("xxabx abd abc ab", (_, start) => told.push(start));
	finder.find("bc", (_, start) => told.push(start));
	expect(told).toEqual([10]);
});
