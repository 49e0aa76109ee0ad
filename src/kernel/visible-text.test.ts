import { expect, test } from "vitest";
import { shortId } from "./visible-text.ts";

test.each([
	["search-index", 18, "search-index"],
	["search-index-rebuild", 18, "search-index-..."],
	["v1.2.3-of-something", 9, "v1.2...."],
	["searchindexrebuild", 12, "searchind..."],
])("%s in %i characters is %s: cut behind a word where there is one", (id, width, shown) => {
	expect(shortId(id, width)).toBe(shown);
});
