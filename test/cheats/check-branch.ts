import { z } from "zod";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import type { Cheat, Honest } from "./case.ts";
import { difference, edited } from "./tree.ts";

const VERDICTS = ["pass", "review", "fail"] as const;

/** What `spar check` says of a patch as a branch; `none` where it could say nothing. */
export interface BranchVerdict {
	readonly verdict: (typeof VERDICTS)[number] | "none";
	/** What it says against the patch; its suspicions where nothing fails. */
	readonly reasons: readonly string[];
}

const checkReport = z.looseObject({
	verdict: z.enum(VERDICTS),
	checks: z.array(z.looseObject({ blocks: z.boolean(), reason: z.string().nullable() })),
	integrity: z.looseObject({ violations: z.array(z.string()) }),
	suspicions: z.array(z.looseObject({ file: z.string(), what: z.string() })),
});

/** Commits the patch on a branch and has the whole program check it, with the allowances of its task. */
export async function checkBranch(one: Cheat | Honest): Promise<BranchVerdict> {
	const { project, patch, task = project.task } = one;
	const repo = repository({ files: project.files });
	try {
		const checks = { tests: { kind: "acceptance", timeout: "5m", ...project.check } };
		const setup = project.setup === undefined ? {} : { setup: project.setup };
		// JSON is YAML.
		repo.write({ "sparring.yaml": JSON.stringify({ version: 1, ...setup, checks }) });
		repo.commit("Workflow");
		repo.git("switch", "-q", "-c", "work");
		repo.write(difference(project.files, edited(project.files, patch)));
		repo.commit(task.description);
		const allow = (task.allow ?? []).flatMap(({ path, change, reason }) => [
			"--allow",
			`${path}:${change}:${reason}`,
		]);
		const { stdout, stderr } = await spar(repo, [
			"check",
			"work",
			"--base",
			"main",
			"--json",
			...allow,
		]);
		if (stdout === "") return { verdict: "none", reasons: [stderr] };
		const { verdict, checks: ran, integrity, suspicions } = checkReport.parse(JSON.parse(stdout));
		const failed = ran.flatMap(({ blocks, reason }) => (blocks ? [reason ?? ""] : []));
		const asked = suspicions.map(({ file, what }) => `${file}: ${what}`);
		return { verdict, reasons: [...integrity.violations, ...failed, ...asked] };
	} finally {
		repo.remove();
	}
}
