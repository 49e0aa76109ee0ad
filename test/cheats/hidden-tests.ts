import type { Cheat, Honest, Probe, Project, Specification } from "./case.ts";
import { specificationOf } from "./oracle.ts";

/** Test files that a verifier writes, and the command that runs just these. */
export interface HiddenTests {
	readonly files: Readonly<Record<string, string>>;
	readonly run: string;
}

/** The whole specification of a case as tests in the framework of its project, as a good verifier would write them. */
export function hiddenTests(one: Cheat | Honest): HiddenTests {
	const { project, probe = project.probe } = one;
	return FRAMEWORKS[project.runner](specificationOf(one), probe);
}

type Framework = (specification: Specification, probe: Probe) => HiddenTests;

const nodeTest: Framework = (specification, probe) => ({
	files: { "test/hidden.test.mjs": javascript("node:test", specification, probe) },
	run: "node --test test/hidden.test.mjs",
});

const FRAMEWORKS: Readonly<Record<Project["runner"], Framework>> = {
	"node:test": nodeTest,
	own: nodeTest,
	vitest: (specification, probe) => ({
		files: { "test/hidden.test.ts": javascript("vitest", specification, probe) },
		run: "node node_modules/vitest/vitest.mjs run --coverage.enabled=false test/hidden.test.ts",
	}),
	make: (specification) => ({
		files: { "test/hidden.sh": shell(specification) },
		run: "sh test/hidden.sh",
	}),
	pytest: (specification, probe) => ({
		files: { "tests/test_hidden.py": python(specification, probe) },
		run: "python3 -m pytest -q tests/test_hidden.py",
	}),
	unittest: (specification, probe) => ({
		files: { "tests/test_hidden.py": python(specification, probe) },
		run: "python3 -m unittest -v tests.test_hidden",
	}),
};

function javascript(runner: string, specification: Specification, { module }: Probe): string {
	return `import assert from "node:assert/strict";
import { compileFunction } from "node:vm";
import { test } from "${runner}";
import * as product from "../${module}";

const SPECIFICATION = ${JSON.stringify(specification, null, "\t")};

async function valueOf(text) {
	try {
		const evaluate = compileFunction("return (" + text + ");", Object.keys(product));
		return (await evaluate(...Object.values(product))) ?? null;
	} catch (error) {
		return "throws " + error.message;
	}
}

for (const [text, value] of Object.entries(SPECIFICATION)) {
	test(text, async () => {
		assert.deepEqual(await valueOf(text), value);
	});
}
`;
}

function python(specification: Specification, { module }: Probe): string {
	const rows = Object.entries(specification).map(([text, value]) =>
		JSON.stringify([text, JSON.stringify(value)]),
	);
	return `import json
import unittest

import ${module} as product

SPECIFICATION = [
${rows.map((row) => `    ${row},`).join("\n")}
]


def value_of(text):
    try:
        return json.loads(json.dumps(eval(text, dict(vars(product)))))
    except Exception as error:
        return "throws " + str(error)


class HiddenTest(unittest.TestCase):
    pass


def case(text, value):
    return lambda self: self.assertEqual(value_of(text), json.loads(value), text)


for number, row in enumerate(SPECIFICATION):
    setattr(HiddenTest, f"test_{number}", case(*row))
`;
}

function shell(specification: Specification): string {
	const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
	const rows = Object.entries(specification).map(
		([text, value], at) =>
			`same ${at + 1} ${quoted(text)} "$(${text})" ${quoted(String(value).trimEnd())}`,
	);
	return `echo "TAP version 13"
echo "1..${rows.length}"
failed=0
same() {
	if [ "$3" = "$4" ]; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		failed=1
	fi
}
${rows.join("\n")}
exit $failed
`;
}
