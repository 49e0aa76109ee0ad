import type { SandboxProbe } from "../../process/sandbox/open-sandbox.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { type AgentPlace, agentLines, installedLines } from "./agents.ts";
import type { DoctorLine, DoctorPlace } from "./doctor-line.ts";
import { nodeLine } from "./machine.ts";
import { checkoutPlaceLine, databaseLine, stateLine } from "./places.ts";
import { gitLine, repositoryLines } from "./repository.ts";
import { leftoverLine, sandboxLine } from "./sandbox.ts";
import { sizeLines } from "./sizes.ts";
import { tieBreakerLines } from "./tie-breaker.ts";
import { lookAtWorkflow } from "./workflow.ts";
import { findRoot } from "../find-root.ts";

type Environment = DoctorPlace["env"];

async function probeHere(env: Environment, unixSockets: boolean): Promise<SandboxProbe> {
	const { probeSandbox } = await import("../../process/sandbox/open-sandbox.ts");
	return probeSandbox(env, unixSockets);
}

async function linesOfAgents(
	workflow: Workflow,
	place: AgentPlace,
): Promise<readonly DoctorLine[]> {
	const lines = await agentLines(Object.values(workflow.agents), place);
	return [...lines, ...(await tieBreakerLines(workflow, lines, place))];
}

/**
 * Looks at everything that Sparring needs on this machine and in this repository. It changes nothing, calls no model
 * and never rejects for what it finds: that is what the lines say. Coding agents that it asks about themselves may
 * write to their own stores.
 *
 * @param probe for tests: whether there is a sandbox
 */
export async function diagnose(
	place: DoctorPlace,
	probe: (env: Environment, unixSockets: boolean) => Promise<SandboxProbe> = probeHere,
): Promise<readonly DoctorLine[]> {
	const { env } = place;
	const root = findRoot(place.directory);
	const file = root === undefined ? null : await lookAtWorkflow(root);
	const workflow = file?.workflow ?? null;
	const ofRepository =
		root === undefined
			? []
			: [
					await checkoutPlaceLine(root, env),
					await stateLine(root),
					await databaseLine(root),
					...(await sizeLines(root, env)),
					...(file === null ? [] : [file.line]),
				];
	const sandbox = await probe(env, workflow?.sandbox?.unixSockets ?? false);
	const mode = workflow === null ? undefined : (workflow.sandbox?.mode ?? "off");
	return [
		nodeLine(process.versions.node),
		await gitLine(place),
		...(await repositoryLines(place)),
		...ofRepository,
		...(workflow === null || root === undefined
			? await installedLines(env)
			: await linesOfAgents(workflow, { root, env })),
		leftoverLine(process.platform, sandbox.available && mode !== undefined && mode !== "off"),
		sandboxLine(mode, sandbox),
	];
}
