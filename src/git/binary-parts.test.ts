import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { changedLines, diffText, diffTexts } from "./changes.ts";
import { commitAll, scene, writeFiles } from "./scratch.fixture.ts";

test("what is no text is told with its size, also where git takes it for lines", async () => {
	const { user, vault, base } = await scene({ "old.bin": Buffer.from([0, 1, 2]) });
	const late = Buffer.concat([Buffer.from("text\n".repeat(2_000)), Buffer.from([0, 1])]);
	writeFiles(user, {
		"old.bin": Buffer.from([0, 1, 2, 3, 4]),
		"a @@ b.db": late,
		"short.gz": Buffer.from([0x1f, 0x8b, 8, 10, 0xff, 0xfe, 7, 10]),
		"latin.txt": Buffer.from("caf\xe9\n", "latin1"),
		"bell.txt": "rings \x07 in UTF-8\n",
	});
	const commit = commitAll(user);
	const { text } = await diffText(vault, base, commit, { maxBytes: 1_000_000 });
	const [same] = await diffTexts(vault, [{ from: base, to: commit }], { maxBytes: 1_000_000 });
	expect(same?.text).toBe(text);
	expect(text.split("\n").filter((line) => /^(?:Binary|[-+@])/.test(line))).toEqual([
		"Binary files /dev/null and b/a @@ b.db differ (binary, 10002 bytes)",
		"--- /dev/null",
		"+++ b/bell.txt",
		"@@ -0,0 +1 @@",
		"+rings \x07 in UTF-8",
		"--- /dev/null",
		"+++ b/latin.txt",
		"@@ -0,0 +1 @@",
		"+caf�",
		"Binary files a/old.bin and b/old.bin differ (binary, 5 bytes)",
		"Binary files /dev/null and b/short.gz differ (binary, 8 bytes)",
	]);
	expect(await changedLines(vault, base, commit)).toEqual({ added: 2, removed: 0 });
});

thorough("a binary file that goes has the size that it had", async () => {
	const { user, vault, base } = await scene({ "x.bin": Buffer.from([0, 1, 2]) });
	writeFiles(user, { "y.txt": "y\n" });
	rmSync(join(user, "x.bin"));
	const commit = commitAll(user);
	const { text } = await diffText(vault, base, commit, { maxBytes: 1_000_000 });
	expect(text).toContain("Binary files a/x.bin and /dev/null differ (binary, 3 bytes)\n");
});
