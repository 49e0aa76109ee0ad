import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { CRITERION, sendsBack, stage, textLike, WORKS } from "./stage.ts";

const FINDING = {
	issue: "It breaks </details> | and @octocat.",
	severity: "major",
	file: "work.txt",
	line: 1,
};

test("a run that failed is told in each format, in the step's summary, and with no secret that is known by now", async () => {
	const { repo, spar, json } = stage({
		steps: [WORKS, { role: "coach", report: sendsBack(FINDING) }],
		task: { max_turns: 1 },
	});
	const summary = join(repo.home, "summary.md");
	writeFileSync(summary, "# Before\n");
	const actions = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
	const ended = await spar(["run"], { env: actions });
	expect(ended.code).toBe(1);
	expect(ended.stderr).toContain("::error file=work.txt,line=1,title=one F1%2C major::It breaks");
	const { stdout: markdown } = await spar(["report"]);
	expect(readFileSync(summary, "utf8")).toBe(`# Before\n${markdown}\n`);
	expect(markdown).toContain("## test: failed");
	expect(markdown).toContain("**Why:** Max turns (1) reached without approval");
	expect(markdown).toContain(`| ${CRITERION} | met | seen |`);
	expect(markdown).toContain(
		"| F1 | major | **open, blocking** | `work.txt:1` | It breaks &lt;/details&gt; &#124; and @&#8203;octocat. |",
	);
	expect(markdown).toContain("#### Evidence of the last turn");
	const { stdout: xml } = await spar(["report", "--format", "junit"]);
	expect(XMLValidator.validate(xml)).toBe(true);
	expect(xml).toContain('<failure message="Max turns (1) reached without approval"/>');
	const { stdout: sarif } = await spar(["report", "--format", "sarif"]);
	expect(JSON.parse(sarif)).toMatchObject({
		runs: [{ results: [{ ruleId: "major-finding", message: { text: textLike("@octocat") } }] }],
	});
	expect(await json("report")).toMatchObject({
		tasks: [{ id: "one", player: "dev", coach: "coach", criteria: [{ status: "met" }] }],
	});
	// A secret of later: the records have it in plain.
	const env = { LATE_SECRET: CRITERION };
	for (const format of ["markdown", "junit", "sarif", "ctrf", "html"]) {
		const file = `report.${format}`;
		const wrote = await spar(["report", "--format", format, "--output", file], { env });
		expect([wrote.code, wrote.stdout, wrote.stderr]).toEqual([0, "", `wrote ${file}\n`]);
		const text = repo.read(file) ?? "";
		expect(text).not.toContain(CRITERION);
		expect(text.includes("MASKED:")).toBe(format !== "sarif");
	}
	const refused = await spar(["report", "--format", "junits"]);
	expect([refused.code, refused.stderr]).toEqual([2, textLike('did you mean "junit"?')]);
	expect((await spar(["report", "--output", "gone/x"])).stderr).toContain("cannot be written");
	expect((await spar(["report", "nope"])).code).toBe(2);
});
