import { z } from "zod";
import { repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import type { Project, Task } from "./case.ts";
import { difference, type Edit, edited } from "./tree.ts";

const VERDICTS = ["pass", "review", "fail"] as const;

/** A project and a patch of it; every case of the catalogue is one. */
export interface Branch {
	readonly project: Pick<Project, "files" | "check" | "setup"> & { readonly task: Task };
	/** Default: the project's. */
	readonly task?: Task;
	readonly patch: readonly Edit[];
}

/** What `spar check` says of a patch as a branch; `none` where it could say nothing. */
export interface BranchVerdict {
	readonly verdict: (typeof VERDICTS)[number] | "none";
	/** What it says against the patch; its suspicions where nothing fails. */
	readonly reasons: readonly string[];
	/** Its own tests pass. */
	readonly isGreen: boolean;
}

const checkReport = z.looseObject({
	verdict: z.enum(VERDICTS),
	checks: z.array(
		z.looseObject({
			kind: z.string(),
			status: z.string(),
			blocks: z.boolean(),
			reason: z.string().nullable(),
		}),
	),
	integrity: z.looseObject({ violations: z.array(z.string()) }),
	suspicions: z.array(z.looseObject({ file: z.string(), what: z.string() })),
});

/** Commits the patch on a branch and has the whole program check it, with the allowances of its task. */
export async function checkBranch(one: Branch): Promise<BranchVerdict> {
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
		return await judged(repo, allow);
	} finally {
		repo.remove();
	}
}

/** Has the whole program check the branch `work` of a repository against `main`. */
export async function judged(
	repo: TestRepository,
	args: readonly string[],
): Promise<BranchVerdict> {
	const command = ["check", "work", "--base", "main", "--json", ...args];
	const { stdout, stderr } = await spar(repo, command);
	if (stdout === "") return { verdict: "none", reasons: [stderr], isGreen: false };
	const { verdict, checks: ran, integrity, suspicions } = checkReport.parse(JSON.parse(stdout));
	const failed = ran.flatMap(({ blocks, reason }) => (blocks ? [reason ?? ""] : []));
	const asked = suspicions.map(({ file, what }) => `${file}: ${what}`);
	const own = ran.filter(({ kind }) => kind === "acceptance");
	const isGreen = own.every(({ status }) => status === "pass");
	return { verdict, reasons: [...integrity.violations, ...failed, ...asked], isGreen };
}
