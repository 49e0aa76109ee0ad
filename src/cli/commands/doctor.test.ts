import { expect, test } from "vitest";
import { UNLIMITED } from "../terminal/table.ts";
import { doctorEntry } from "./doctor.ts";

const LINE = {
	name: "workflow",
	detail: 'no workflow file "/home/you/limiter/sparring.yaml"',
	fix: "run `spar init` to create one, or name another file: `spar run FILE`",
};

test("a pipe gets a line for what was found, and one for the fix", () => {
	expect(doctorEntry(LINE, "warn", { widest: 10, columns: UNLIMITED })).toBe(
		`warn  workflow    ${LINE.detail}\n                  ${LINE.fix}`,
	);
	expect(doctorEntry({ ...LINE, fix: null }, "ok  ", { widest: 8, columns: UNLIMITED })).toBe(
		`ok    workflow  ${LINE.detail}`,
	);
});

test("a terminal gets columns of text, a narrow one a block", () => {
	expect(doctorEntry(LINE, "warn", { widest: 18, columns: 60 })).toBe(
		[
			"warn  workflow            no workflow file",
			'                          "/home/you/limiter/sparring.yaml"',
			"                          run `spar init` to create one, or",
			"                          name another file: `spar run FILE`",
		].join("\n"),
	);
	expect(doctorEntry(LINE, "FAIL", { widest: 18, columns: 40 })).toBe(
		[
			"FAIL  workflow",
			"          no workflow file",
			'          "/home/you/limiter/sparring.yaml"',
			"          run `spar init` to create one,",
			"          or name another file: `spar",
			"          run FILE`",
		].join("\n"),
	);
});
