import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Fault } from "../kernel/fault.ts";
import { longerLine, requireEnd, requireResults } from "./require-results.ts";

const checks = [{ name: "tests", kind: "acceptance", run: "make test", baseline: "new" }] as const;
const ASKED = ["--base", "main", "--command", "'make test'"];

const silent = (more: Partial<Evidence>): Evidence =>
	evidence({ check: "tests", status: "absent", counts: null, cases: null, exitCode: 1, ...more });

function hintOf(piece: Evidence): string {
	try {
		requireResults([piece], new Map([["tests", piece]]), { checks, asked: ASKED, where: [] });
	} catch (error) {
		return (error as Fault).hint ?? "";
	}
	return "";
}

const NOT_SET_UP = {
	status: "error",
	exitCode: null,
	reason: 'the check did not run because the setup failed: setup "npm ci" ended with exit code 1',
} as const;
const ENDED = {
	status: "error",
	exitCode: null,
	reason: "timed out after 10m 0s",
	ms: 600_000,
} as const;
const SAME = "spar check --base main --command 'make test'";

test.each<[string, Partial<Evidence>, string]>([
	["words that nobody can read", { outputTail: "all is well\n" }, `${SAME} --exit-code`],
	["npm without its registry", { ...NOT_SET_UP, outputTail: "npm error code ENOTFOUND\n" }, SAME],
	[
		"pip without its registry",
		{
			...NOT_SET_UP,
			outputTail:
				"Failed to establish a new connection: [Errno -3] Temporary failure in name resolution\n",
		},
		SAME,
	],
	[
		"cargo without its registry",
		{ exitCode: 101, outputTail: "Could not resolve host: index.crates.io\n" },
		SAME,
	],
	[
		"go without its proxy",
		{ outputTail: 'Get "https://x": dial tcp: lookup x: no such host\n' },
		SAME,
	],
	["a setup that fails", { ...NOT_SET_UP, outputTail: "npm error EUSAGE\n" }, `${SAME} --no-setup`],
	[
		"a setup whose program is missing",
		{ ...NOT_SET_UP, exitCode: 127, outputTail: "sh: 1: uv: not found\n" },
		`${SAME} --no-setup`,
	],
	[
		"a missing program",
		{ status: "error", exitCode: 127, outputTail: "sh: 1: x: not found\n" },
		SAME,
	],
	[
		"a program that make misses",
		{ exitCode: 2, outputTail: "make: x: No such file or directory\n" },
		SAME,
	],
	["a limit of time", ENDED, `${SAME} --timeout 30m`],
	[
		"vitest that watches",
		{
			...ENDED,
			outputTail: " PASS  Waiting for file changes...\n press h to show help, press q to quit\n",
		},
		"spar check --base main --command 'npx vitest run'",
	],
	[
		"jest that watches",
		{ ...ENDED, outputTail: "Watch Usage\n" },
		"spar check --base main --command 'npx jest'",
	],
	["no tests", { outputTail: "No tests found\n" }, "spar check --base main --command CMD"],
])("a check without a result ends with the one step for its cause: %s", (_cause, piece, step) => {
	expect(hintOf(silent(piece)).split("\n").at(-1)).toBe(step);
});

test("a base that gives a result, or a work that does, is judged", () => {
	const passed = evidence({ check: "tests" });
	const asked = { checks, asked: ASKED, where: [] };
	expect(() => requireResults([silent({})], new Map([["tests", passed]]), asked)).not.toThrow();
	expect(() => requireResults([passed], new Map([["tests", silent({})]]), asked)).not.toThrow();
	expect(() => requireEnd([silent(ENDED), passed], { checks, asked: [] })).not.toThrow();
});

test("a limit is made three times as long, once", () => {
	expect(longerLine(["--timeout", "1s", "--staged"], 1_000)).toBe(
		"spar check --staged --timeout 1m",
	);
	expect(longerLine([], 125_000)).toBe("spar check --timeout 7m");
});
