import path from "node:path";
import { Fault } from "../kernel/fault.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import type { DoctorLine } from "./doctor-line.ts";
import { findProgram } from "./find-program.ts";

const FILE = "sparring.yaml";

async function agentLine(
	agent: AgentDefinition,
	root: string,
	searchPath: string,
): Promise<DoctorLine> {
	const name = `agent ${agent.name}`;
	if (agent.adapter === "cassette") {
		const { access } = await import("node:fs/promises");
		return await access(agent.file).then(
			() => ({ name, ok: true, detail: `cassette ${agent.file}`, fix: null }),
			() => ({
				name,
				ok: false,
				detail: `no cassette ${agent.file}`,
				fix: "Record one with: spar run --record FILE, or correct the path in sparring.yaml.",
			}),
		);
	}
	if (!("run" in agent)) return { name, ok: "warn", detail: agent.adapter, fix: null };
	const [program = ""] = agent.run;
	const found = await findProgram(program, searchPath, root);
	return found === undefined
		? {
				name,
				ok: false,
				detail: `no program ${JSON.stringify(program)}`,
				fix: "Install it, put it on the PATH, or name another one in sparring.yaml.",
			}
		: { name, ok: true, detail: found, fix: null };
}

/** The workflow file at the root, and for each of its agents whether the program is there. */
export async function workflowLines(
	root: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<readonly DoctorLine[]> {
	const name = "workflow";
	try {
		const { readWorkflowFile } = await import("../workflow/read-workflow-file.ts");
		const { loadWorkflow } = await import("../workflow/load.ts");
		const content = await readWorkflowFile(path.join(root, FILE));
		const { workflow, errors } = loadWorkflow({
			...{ content, file: FILE, directory: root },
			repositoryRoot: root,
		});
		if (workflow === null) {
			const [first] = errors;
			return [
				{
					name,
					ok: false,
					detail: `${FILE}:${first?.line ?? 1}:${first?.column ?? 1} ${first?.message ?? ""}`,
					fix: `See all ${errors.length} with: spar validate`,
				},
			];
		}
		const detail = `${FILE}; tasks: ${workflow.tasks.length}, checks: ${workflow.checks.length}`;
		const agents = Object.values(workflow.agents);
		return [
			{ name, ok: true, detail, fix: null },
			...(await Promise.all(agents.map((agent) => agentLine(agent, root, env["PATH"] ?? "")))),
		];
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return [{ name, ok: "warn", detail: error.message, fix: error.hint ?? null }];
	}
}
