import { expect, test } from "vitest";
import { makeLines } from "./followed-files.ts";

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
