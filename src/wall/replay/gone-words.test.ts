import { expect, test } from "vitest";
import type { FileChange } from "../../git/file-change.ts";
import { goneWords } from "./gone-words.ts";

const change = (path: string, kind: FileChange["kind"]): FileChange => ({
	path,
	kind,
	oldMode: "100644",
	newMode: "100644",
	oldOid: "1",
	newOid: "2",
});
const texts = (all: Readonly<Record<string, string>>) => (path: string) =>
	Promise.resolve(all[path] ?? null);

test("a word is gone where no changed code of the product has it any longer, but for comments", async () => {
	const isGone = await goneWords(
		[change("fee.js", "modified"), change("old.js", "deleted"), change("new.js", "added")],
		{
			readBase: texts({ "fee.js": "legacy(); fee();", "old.js": "half()" }),
			readHead: texts({ "fee.js": "fee(); // legacy", "new.js": "half()" }),
		},
	);
	const gone = ["legacy(1)", "fee(1)", "half(1)", 'import "./old.js"', "it"].map(isGone);
	expect(gone).toEqual([true, false, false, true, false]);
});
