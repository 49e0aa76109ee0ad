import type { NamedCheck, ProjectKind } from "./project-kind.ts";
import type { StarterAgent } from "./starter-agents.ts";

/** A task with its id. */
interface StarterTask {
	readonly id: string;
	readonly value: string | Readonly<Record<string, unknown>>;
}

export interface StarterFacts {
	readonly project: ProjectKind;
	readonly agents: readonly StarterAgent[];
	readonly hosts: readonly string[];
	readonly unixSockets: boolean;
	// Folder or address of the package, for its schema and its guide.
	readonly sparring: string;
	readonly task?: StarterTask | undefined;
	readonly unignored: readonly string[];
}

const flow = (value: unknown): string =>
	JSON.stringify(value).replaceAll(
		/[\u007f-\u009f\u2028\u2029\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
const flowList = (values: readonly string[]): string => `[${values.map(flow).join(", ")}]`;

function setupLines({ project: { setup }, unignored }: StarterFacts): string[] {
	const verb = unignored.length === 1 ? "is" : "are";
	const warning = `# ${unignored.join(" and ")} ${verb} not in .gitignore: what git does not ignore becomes part of commits.`;
	return [
		...(unignored.length === 0 ? [] : [warning]),
		...(setup.length === 0 ? [] : [`setup: ${flowList(setup)}`]),
	];
}

function agentLines({ agents }: StarterFacts): string[] {
	const [player, coach] = agents;
	const entries = agents.flatMap(({ name, adapter, run, env }) => {
		if (run === null && env.length === 0 && name === adapter) return [];
		const parts = [
			`adapter: ${adapter}`,
			...(run === null ? [] : [`run: ${flowList(run)}`]),
			...(env.length === 0 ? [] : [`env: ${flowList(env)}`]),
		];
		return [`  ${name}: { ${parts.join(", ")} }`];
	});
	return [
		...(player?.found === true
			? []
			: [
					"# No known coding agent is on the PATH: put one, or a program of yours, in these places.",
				]),
		...(entries.length === 0 ? [] : ["agents:", ...entries]),
		`player: ${player?.name}`,
		`coach: ${coach?.name}`,
	];
}

function sandboxLine({ hosts, unixSockets }: StarterFacts): string {
	const keys = [
		...(hosts.length > 0 ? [`allow_hosts: ${flowList(hosts)}`] : []),
		...(unixSockets ? ["unix_sockets: true"] : []),
	];
	return keys.length > 0 ? `sandbox: { mode: auto, ${keys.join(", ")} }` : "sandbox: auto";
}

function checkLines({ project }: StarterFacts): string[] {
	if (project.checks.length > 0) return ["checks:", ...project.checks.map(oneCheck)];
	const { watching } = project;
	return [
		watching === undefined
			? "# No test command was found, and nothing is merged without one:"
			: `# ${flow(watching)} watches and never ends; name a command that runs the tests once:`,
		'# checks: { tests: "make test" }',
	];
}

function oneCheck({ name, kind, run, report }: NamedCheck): string {
	if (kind === "acceptance" && report === undefined) return `  ${name}: ${flow(run)}`;
	const more = [
		...(kind === "lint" ? ["baseline: tolerate"] : []),
		...(report === undefined
			? []
			: [`report: { format: ${report.format}, path: ${flow(report.path)} }`]),
	];
	return `  ${name}: { ${[`kind: ${kind}`, `run: ${flow(run)}`, ...more].join(", ")} }`;
}

/** The starter's task: it asks for nothing, so no agent is paid for it. */
export const STARTER_TASK = "Describe what to build or fix.";

export function starterWorkflow(facts: StarterFacts): string {
	const { sparring, task = { id: "first-task", value: STARTER_TASK } } = facts;
	return [
		`# yaml-language-server: $schema=${sparring}/schema/workflow.schema.json`,
		`# Every key, with examples: ${sparring}/docs/user-guide/workflows.md`,
		"version: 1",
		...setupLines(facts),
		...agentLines(facts),
		sandboxLine(facts),
		...checkLines(facts),
		"tasks:",
		`  ${task.id}: ${flow(task.value)}`,
		"",
	].join("\n");
}
