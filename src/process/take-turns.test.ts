import { expect, test } from "vitest";
import { takeTurn } from "./take-turns.ts";

test("of several that want a turn each gets one, in order, and others come in between", async () => {
	const seen: string[] = [];
	const turns = ["first", "second", "third"].map((name) => takeTurn().then(() => seen.push(name)));
	const other = (async () => {
		for (const _ of turns) {
			await new Promise(setImmediate);
			seen.push("other");
		}
	})();
	await Promise.all([...turns, other]);
	expect(seen.filter((name) => name !== "other")).toEqual(["first", "second", "third"]);
	expect(seen.indexOf("other")).toBeLessThan(seen.indexOf("second"));
});
