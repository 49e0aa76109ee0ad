import { expect, test } from "vitest";
import type { ChangedFileText } from "../git/changed-texts.ts";
import { placesOf } from "./blocked-places.ts";

const lines = (...texts: readonly string[]): string[] => texts.map((text) => `${text}\n`);
const gone: ChangedFileText = {
	path: "test/sum.test.js",
	kind: "deleted",
	mode: "100644",
	parts: [{ old: lines("head", "adds one", "adds two", "foot"), fresh: [] }],
};
const fresh = (...texts: readonly string[]): ChangedFileText => ({
	path: "test/add.test.js",
	kind: "added",
	mode: "100644",
	parts: [{ old: [], fresh: lines(...texts) }],
});
const place = (...changed: readonly ChangedFileText[]) =>
	placesOf({ blocked: [{ path: gone.path, change: "delete" }] }, changed)[0];

test("of a test file that went to another place the lines are shown that are not there", () => {
	expect(place(gone, fresh("head", "adds two", "foot"))).toMatchObject({
		line: 2,
		before: ["adds one"],
	});
});

test("of one that is gone, or is elsewhere as it was, the first lines are shown", () => {
	const all = { line: 1, before: ["head", "adds one", "adds two", "foot"] };
	expect(place(gone)).toMatchObject(all);
	expect(place(gone, fresh("foot", "adds two", "adds one", "head"))).toMatchObject(all);
});
