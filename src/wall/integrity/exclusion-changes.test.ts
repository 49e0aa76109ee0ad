import { expect, test } from "vitest";
import { checkOf, type Files, inspect } from "./inspect.fixture.ts";

const COVERED = { "package.json": '{"scripts":{"test":"c8 node --test"}}' };

const of = async (base: Files, head: Files) =>
	(await inspect({ ...COVERED, ...base }, { ...COVERED, ...head })).violations;

test.each([
	["a.js", "f(); /* v8 ignore next */"],
	["a.ts", "/* istanbul ignore else */"],
	["a.js", "/* node:coverage disable */"],
	["a.py", "def f(): # pragma: no cover"],
	["a.cpp", "// LCOV_EXCL_START"],
])("a new comment in %s that excludes code from the coverage blocks: %s", async (file, line) => {
	expect(await of({}, { [file]: `x\n${line}\n` })).toEqual([
		`${file}: line 2 excludes code from the coverage; remove the comment`,
	]);
	expect(await of({ [file]: line }, { [file]: `x\n${line}` })).toEqual([]);
	expect(await of({ [file]: line }, { [file]: "x" })).toEqual([]);
});

test("what no project tests, tests themselves, and projects without coverage are left alone", async () => {
	expect(await of({}, { "a.py": 'if __name__ == "__main__":  # pragma: no cover' })).toEqual([]);
	expect(await of({}, { "test/a.js": "/* c8 ignore next */" })).toEqual([]);
	const head = { "a.js": "/* c8 ignore next */" };
	expect((await inspect({}, head)).violations).toEqual([]);
	expect(
		(
			await inspect(
				{ "vitest.config.ts": "coverage: {}" },
				{ "vitest.config.ts": "coverage: {}", ...head },
			)
		).violations,
	).toHaveLength(1);
	const rules = { checks: [{ ...checkOf("sh cover.sh"), kind: "coverage" as const }] };
	expect((await inspect({}, head, { rules })).violations).toHaveLength(1);
});
