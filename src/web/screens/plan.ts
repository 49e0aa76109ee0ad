import { resolve } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { isInside, realPathOf } from "../../places/places.ts";
import type { ApprovalOptions } from "../../planning/planning-reports.ts";
import { formatDiagnostic } from "../../workflow/diagnostic.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import type { Plan, PlanEdit } from "../protocol.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";

async function planOf(ground: ScreenGround, options: ApprovalOptions): Promise<Plan> {
	const { loaded, report } = await ground.sparring.approve(options);
	if (report === null || loaded.workflow === null) {
		const [first] = loaded.errors;
		throw new Fault(
			first === undefined ? "the workflow file is not valid" : formatDiagnostic(first),
			{
				code: "workflow-invalid",
				hint: "See all of it: spar validate",
			},
		);
	}
	const { tasks: definitions } = loaded.workflow;
	const tasks = report.tasks.map((task) => {
		const definition = definitions.find(({ id }) => id === task.id);
		return {
			...task,
			title: definition === undefined ? task.id : splitTitle(definition).title,
			formal_review: definition?.formalReview === true,
			depends_on: definition?.dependsOn ?? [],
			player: definition?.player ?? "",
			coach: definition?.pair?.challenger ?? null,
			bound: definition?.bound ?? 0,
		};
	});
	const { notes, ...shown } = report;
	const warnings = [...notes, ...loaded.warnings.map(formatDiagnostic)];
	const checks = loaded.workflow.checks.map(({ name }) => name);
	const plan = { ...shown, checks, tasks, warnings };
	return maskedValue(ground.masks.ofWorkflow(loaded.workflow), plan);
}

// The page is about this repository.
function pathOf(
	{ places: { root } }: ScreenGround,
	file: string | null | undefined,
): string | undefined {
	if (file === null || file === undefined) return undefined;
	const path = resolve(root, file);
	const isOurs = isInside(root, path) && isInside(realPathOf(root), realPathOf(path));
	if (isOurs && path !== root) return path;
	throw new Fault(`${file} is no file of this repository`, {
		code: "usage",
		hint: "Name a workflow file relative to the repository.",
	});
}

export async function readPlan(ground: ScreenGround, file: string | null): Promise<Plan> {
	return await planOf(ground, { path: pathOf(ground, file) });
}

export async function editPlan(
	ground: ScreenGround,
	{ file, digest, all, tasks = {} }: PlanEdit,
): Promise<Plan> {
	const flags = new Map(Object.entries(tasks));
	return await planOf(ground, { path: pathOf(ground, file), digest, all, tasks: flags });
}
