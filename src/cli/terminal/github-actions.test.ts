import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aReportedFinding, aRunView, aTask } from "../../view/run-view.fixture.ts";
import { tellGithub } from "./github-actions.ts";

const home = mkdtempSync(join(tmpdir(), "spar-github-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const RESULT = aRunView([
	aTask({
		findings: [
			aReportedFinding({ issue: "50% wrong\n::set-output name=x::y", file: "a,b" }),
			aReportedFinding({ id: "F2", blocking: false }),
			aReportedFinding({ id: "F3", file: null }),
		],
	}),
]);

/** What is printed when a run has ended, on a runner whose summary is this file. */
async function told(file: string, isActions = "true"): Promise<string> {
	let text = "";
	const write = (more: string): void => {
		text += more;
	};
	const err = { isTTY: false, columns: 80, rows: 24, write, print: write };
	const env = { GITHUB_ACTIONS: isActions, GITHUB_STEP_SUMMARY: file };
	await tellGithub({ env, err }, { result: () => Promise.resolve(RESULT) }, "r1");
	return text;
}

test("the report goes below what stands in the summary, and blocking findings become annotations, at their place where they have one", async () => {
	const file = join(home, "summary.md");
	writeFileSync(file, "before\n");
	expect(await told(file)).toBe(
		"::error file=a%2Cb,line=12,title=limiter F1%2C major::50%25 wrong%0A::set-output name=x::y\n" +
			"::error title=limiter F3%2C major::the 11th call is not refused\n",
	);
	expect(readFileSync(file, "utf8")).toMatch(/^before\n## rate-limiter: completed\n/);
});

test("what stood in the summary gives way when both are too much for GitHub", async () => {
	const file = join(home, "full.md");
	writeFileSync(file, "x".repeat(999_900));
	await told(file);
	expect(readFileSync(file, "utf8").slice(0, 30)).toBe("## rate-limiter: completed\n\nRu");
});

test("a summary that cannot be written is a remark, and elsewhere nothing is said", async () => {
	expect(await told(home)).toContain(
		"note: the step summary of GitHub could not be written: EISDIR",
	);
	const file = join(home, "none.md");
	expect(await told(file, "")).toBe("");
	expect(await told("")).toBe("");
	expect(() => readFileSync(file)).toThrow("ENOENT");
});
