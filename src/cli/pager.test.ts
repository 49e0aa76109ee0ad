import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pagerOf, showInPager } from "./pager.ts";
import type { Paint } from "./terminal/paint.ts";
import { renderDiff } from "./terminal/render-diff.ts";

test("the pager is the user's, else less; an empty one and cat are none", () => {
	expect([{}, { PAGER: "most -s" }, { PAGER: "" }, { PAGER: "cat" }].map(pagerOf)).toEqual([
		"less",
		"most -s",
		null,
		null,
	]);
});

test("a pager gets the whole text, and says when it is missing", async () => {
	const folder = mkdtempSync(join(tmpdir(), "pager-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const { PATH } = process.env;
	const text = "line\n".repeat(100_000);
	expect(await showInPager(text, `cat > ${folder}/seen`, { PATH })).toBe(true);
	expect(readFileSync(join(folder, "seen"), "utf8")).toBe(text);
	expect(await showInPager(text, `echo "$LESS" > ${folder}/options`, { PATH })).toBe(true);
	expect(readFileSync(join(folder, "options"), "utf8")).toBe("FRX\n");
	expect(await showInPager(text, "no-such-pager 2> /dev/null", { PATH })).toBe(false);
});

test("a diff has colours, and what it shows of a file moves no cursor", () => {
	const toned: Paint = (tone, text) => `<${tone} ${text}>`;
	const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\u001b[2J\n same\n";
	expect(renderDiff(diff, toned).split("\n")).toEqual([
		"<strong diff --git a/x b/x>",
		"<strong --- a/x>",
		"<strong +++ b/x>",
		"<quiet @@ -1 +1 @@>",
		"<bad -old>",
		"<good +new\\x1b[2J>",
		" same",
		"",
	]);
});
