import { expect, test } from "vitest";
import { makeLines, onlyUnmade } from "./makefile.ts";

const MAKEFILE = `SUITE = tests/run.sh
.PHONY: test lint

test: build
	@sh $(SUITE) \\
		--all
	$(MAKE) unit
build: ; node build.js
unit:
	-sh unit.sh
lint:
	eslint .
`;

test("the recipes of the targets that a command names, and of what they need or make", () => {
	expect(makeLines(MAKEFILE, new Set(["make", "test"]))).toEqual([
		"sh $(SUITE) --all",
		"$(MAKE) unit",
		"node build.js",
		"sh unit.sh",
		"tests/run.sh",
	]);
});

test("without a named target the first one counts; unknown targets are none", () => {
	expect(makeLines("all: a\na:\n\techo a\n", new Set(["make"]))).toEqual(["echo a"]);
	expect(makeLines("", new Set(["make", "test"]))).toEqual([]);
});

test("only rules that nobody makes differ", () => {
	const words = new Set(["make", "test"]);
	const text = `${MAKEFILE.replace("$(SUITE)", "ci/run.sh")}release: lint\n\tpublish\n%.o: %.c\n\tcc $<\n`;
	const isUnmade = (from: string, to: string) => onlyUnmade(text, text.replace(from, to), words);
	expect(isUnmade("publish", "publish --all")).toBe(true);
	expect(isUnmade("eslint .", "eslint src")).toBe(true);
	expect(isUnmade("release: lint\n\tpublish\n", "# nothing\n")).toBe(true);
	const any = text.replace("$(MAKE) unit", "$(MAKE) $(MORE)");
	expect(onlyUnmade(any, any.replace("publish", "true"), words)).toBe(false);
	const computed = `${text}$(OUT): lint\n\tcompile\n`;
	expect(onlyUnmade(computed, computed.replace("compile", "true"), words)).toBe(false);
	expect(makeLines(computed, words)).toContain("compile");
	for (const more of [
		"\tSHELL := /bin/true\n",
		"# c:\\\\\nX = 1\n",
		"include a.mk\n",
		"Makefile: run.sh\n\ttrue\n",
	]) {
		const other = `X = 2\n${more}${text}`;
		expect(onlyUnmade(other, other.replace("publish", "true"), words), more).toBe(false);
	}
	for (const call of [
		"(make lint) || exit 1",
		'make "lint"',
		"$(MAKE) lint; true",
		"$(RUN) lint",
	]) {
		const other = text.replace("$(MAKE) unit", call);
		expect(onlyUnmade(other, other.replace("eslint .", "true"), words), call).toBe(false);
	}
	for (const [from, to] of [
		["sh unit.sh", "true"],
		["test: build", "test:"],
		["node build.js", "true"],
		["tests/run.sh", "run.sh"],
		["cc $<", "true"],
		[".PHONY: test lint", ".PHONY: lint"],
		["SUITE = ", "include more.mk\nSUITE = "],
		["test: build", "early:\n\ttrue\ntest: build"],
	] as const)
		expect(isUnmade(from, to), `${from} is ${to}`).toBe(false);
});
