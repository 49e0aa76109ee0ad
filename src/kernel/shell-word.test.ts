import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each(["plain", "a b", "it's $HOME", "", "a\nb", "#12", "--x=1,2"])(
	"a shell reads %j back as it was",
	(text) => {
		const printed = execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], {
			encoding: "utf8",
		});
		expect(printed).toBe(text);
	},
);

test("a plain word needs no quotes", () => {
	expect(shellWord("src/a-b.md")).toBe("src/a-b.md");
});
