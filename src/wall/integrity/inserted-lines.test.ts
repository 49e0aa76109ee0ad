import { expect, test } from "vitest";
import { sidesOf } from "../reading/sides.fixture.ts";
import { inspectWhole } from "./inspect.fixture.ts";

test("where lines were only put between others, those are shown, and none as gone", async () => {
	const path = "test/sum.c";
	const text = "int add(int a, int b);\nint main(void) { return add(1, 2) != 3; }\n";
	const base = { Makefile: "test:\n\tcc test/sum.c sum.c && ./a.out\n", "sum.c": "", [path]: text };
	const head = { ...base, [path]: `${text}int more(void) { return 0; }\n` };
	const replayed = { sides: await sidesOf(base, { run: "make test" }), holds: true };
	const seen = { baseline: [], now: [], replayed };
	const { suspicions } = await inspectWhole(base, head, { seen });
	expect(suspicions.map(({ rule, text: shown }) => [rule, shown])).toEqual([
		["test_changed", "+ int more(void) { return 0; }"],
	]);
});
