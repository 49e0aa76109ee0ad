import { expect, test } from "vitest";
import { startTimeFromStat } from "./process-start.ts";

const stat = (name: string, state: string): string =>
	`7 (${name}) ${state} 1 7 7 0 -1 4194304 102 0 0 0 0 0 0 0 20 0 1 0 230077 3133440 407`;

test.each(["cat", "a b", "a) R 1 2", "(((", "\n)"])(
	"the start time is found behind a program named %j",
	(name) => {
		expect(startTimeFromStat(stat(name, "S"))).toBe("230077");
	},
);

test.each(["Z", "X"])("a process in state %s has ended", (state) => {
	expect(startTimeFromStat(stat("cat", state))).toBeUndefined();
});
