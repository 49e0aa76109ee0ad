import { readFileSync } from "node:fs";
import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { terminalSvg } from "../scripts/terminal-svg.ts";
import { thorough } from "./support/amount.ts";
import { screenOf, textOf } from "./support/screen.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

thorough(
	"a terminal's lines become a picture: columns, colours, and no markup of their own",
	async () => {
		const rows = (
			await screenOf("a \u001b[31mred <b>\u001b[39m & \u001b[2mquiet\u001b[22m\n", 40)
		).flat();
		const svg = terminalSvg(rows, { columns: 40, title: "T & T", alt: "what it shows" });
		expect(XMLValidator.validate(svg)).toBe(true);
		expect(svg).toContain(">red &lt;b&gt;</text>");
		expect(svg).toContain('fill="#ff7b72"');
		expect(svg).toContain('<desc id="desc">what it shows</desc>');
		expect(rows.map(textOf)).toEqual(["a red <b> & quiet"]);
	},
);

test("the README's recording tells what was missed, who saw it, and that it was fixed", () => {
	const svg = read("../docs/demo.svg");
	expect(XMLValidator.validate(svg)).toBe(true);
	for (const told of [
		/F1 major {2}src\/limiter\.js:\d+ {2}refill\(\)/,
		/coach: 2 findings/,
		/F1, F2 fixed {3}coach approves/,
		/tests 8\/8 and the base's 4\/4 on the merged tree/,
	]) {
		expect(svg).toMatch(told);
	}
	expect(read("../README.md")).toMatch(/!\[[^\]]{40,}\]\(docs\/demo\.svg\)/);
});
