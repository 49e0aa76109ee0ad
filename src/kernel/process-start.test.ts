import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTimeFromStat, startTimeIn } from "./process-start.ts";

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

test("a file that is missing, or of a process that has ended, tells no time", () => {
	const folder = mkdtempSync(join(tmpdir(), "spar-start-"));
	const file = join(folder, "stat");
	expect(startTimeIn(file)).toBe("0");
	writeFileSync(file, stat("cat", "Z"));
	expect(startTimeIn(file)).toBe("0");
	writeFileSync(file, stat("cat", "S"));
	expect(startTimeIn(file)).toBe("230077");
	rmSync(folder, { recursive: true });
});
