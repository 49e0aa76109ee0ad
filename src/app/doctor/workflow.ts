import path from "node:path";
import { Fault } from "../../kernel/fault.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { DoctorLine } from "./doctor-line.ts";

const FILE = "sparring.yaml";

/** The workflow file at the root, and the workflow when it loads. */
export async function lookAtWorkflow(
	root: string,
): Promise<{ readonly line: DoctorLine; readonly workflow: Workflow | null }> {
	const name = "workflow";
	try {
		const { readWorkflowFile } = await import("../../workflow/read-workflow-file.ts");
		const { loadWorkflow } = await import("../../workflow/load.ts");
		const content = await readWorkflowFile(path.join(root, FILE));
		const place = { file: FILE, directory: root, repositoryRoot: root };
		const { workflow, errors } = loadWorkflow({ content, ...place });
		if (workflow === null) {
			const [first] = errors;
			const detail = `${FILE}:${first?.line ?? 1}:${first?.column ?? 1} ${first?.message ?? ""}`;
			const fix = `See all ${errors.length} with: spar validate`;
			return { line: { name, ok: false, detail, fix }, workflow };
		}
		const detail = `${FILE}; tasks: ${workflow.tasks.length}, checks: ${workflow.checks.length}`;
		return { line: { name, ok: true, detail, fix: null }, workflow };
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		const line = { name, ok: "warn", detail: error.message, fix: error.hint ?? null } as const;
		return { line, workflow: null };
	}
}
