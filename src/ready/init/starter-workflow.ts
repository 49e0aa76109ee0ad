import { HARNESSES } from "../../workflow/harnesses.ts";
import type { NamedCheck, ProjectKind } from "./project-kind.ts";
import type { StarterAgent } from "./starter-agents.ts";

export interface StarterFacts {
	readonly name: string;
	readonly project: ProjectKind;
	readonly agents: readonly StarterAgent[];
	readonly hosts: readonly string[];
	readonly unixSockets: boolean;
	readonly schema: string;
	readonly unignored: readonly string[];
}

const flow = (value: unknown): string =>
	JSON.stringify(value).replaceAll(
		/[\u007f-\u009f\u2028\u2029\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
const flowList = (values: readonly string[]): string => `[${values.map(flow).join(", ")}]`;

function setupLines({ project, unignored }: StarterFacts): string[] {
	const verb = unignored.length === 1 ? "is" : "are";
	const them = unignored.length === 1 ? "it" : "them";
	const warning = [
		`# ${unignored.join(" and ")} ${verb} not in .gitignore. Add ${them} before the first run: what git does not`,
		"# ignore becomes part of the agent's commits.",
	];
	return [
		"# Commands that run once in every checkout, and again when a manifest or lock file changed.",
		...(unignored.length === 0 ? [] : warning),
		...(project.setup.length > 1
			? ["setup:", ...project.setup.map((command) => `  - ${flow(command)}`)]
			: [`setup: ${flowList(project.setup)}`]),
	];
}

function agentLines({ agents }: StarterFacts): string[] {
	const entries = agents.flatMap(({ name, adapter, run, env }) => {
		const parts = [
			`adapter: ${adapter}`,
			...(run === null ? [] : [`run: ${flowList(run)}`]),
			...(env.length === 0 ? [] : [`env: ${flowList(env)}`]),
		];
		return `  ${name}: { ${parts.join(", ")} }`;
	});
	return [...agentComment(agents), "agents:", ...entries];
}

function agentComment(agents: readonly StarterAgent[]): string[] {
	const [player, coach] = agents;
	if (player?.found !== true) {
		return [
			"# Agents. No known coding agent is on the PATH: install one and write its name as the adapter",
			`# (${HARNESSES.join(", ")}), or replace your-agent by a program that reads the prompt on standard`,
			"# input and edits files in its working directory. The coach writes its JSON report to the file that SPAR_REPORT",
			"# names.",
		];
	}
	const isOneMake = player.adapter === coach?.adapter && player.run === coach.run;
	const others = agents.slice(2).map(({ name }) => name);
	return [
		"# Agents: coding agents of this machine, with their own sign-in and without your settings, hooks and MCP",
		"# servers. The player may write in its checkout; the coach only reads. Each may also have `model`, `timeout`",
		"# (30m), `args` and `fallback`; `env` lists environment variables that it may see, such as a key.",
		...(isOneMake
			? ["# Both seats use the same agent. A different reviewer finds different mistakes."]
			: []),
		...(others.length === 0
			? []
			: [
					`# Installed too, without a seat: ${others.join(", ")}. To give one a seat, name it under \`defaults\`.`,
				]),
	];
}

function sandboxLines({ hosts, unixSockets }: StarterFacts): string[] {
	const keys = [
		...(hosts.length > 0 ? [`allow_hosts: ${flowList(hosts)}`] : []),
		...(unixSockets ? ["unix_sockets: true"] : []),
	];
	return [
		"# Agents, setup and checks run in a sandbox if this machine has one, otherwise without one and with a warning;",
		"# `required` runs nothing without one. `spar doctor` tells which it is. In the sandbox agents reach their own",
		"# services, setup reaches the public package registries, and both reach what allow_hosts names.",
		...(unixSockets
			? [
					"# unix_sockets: tsx, which package.json names, listens on one and does not start without.",
				]
			: []),
		keys.length > 0
			? `sandbox: { mode: auto, ${keys.join(", ")} }`
			: "sandbox: auto # or { mode: auto, allow_hosts: [registry.example.org] }",
	];
}

function checkLines({ project }: StarterFacts): string[] {
	const about = [
		"# Checks: what Sparring itself runs on every commit. What an agent claims is not evidence.",
		"# Kinds: acceptance (tests), lint, security, readiness, coverage.",
	];
	if (project.checks.length === 0) {
		return [
			...about,
			"# No test command was found. Without an acceptance check nothing is merged; fill in yours:",
			"# checks:",
			'#   tests: { kind: acceptance, run: "make test", timeout: 10m }',
		];
	}
	return [...about, "checks:", ...project.checks.flatMap(oneCheck)];
}

function oneCheck({ name, kind, run, report }: NamedCheck): string[] {
	const entry = [`  ${name}:`, `    kind: ${kind}`, `    run: ${flow(run)}`];
	if (kind === "lint") return [...entry, "    baseline: tolerate", "    timeout: 10m"];
	const results =
		report === undefined
			? [
					"    # Cases or counts are read from what the runner prints. Before the first agent is called, a run says",
					"    # whether they can be read. If not, let the runner write a report:",
					"    # report: { format: junit, path: out/junit.xml }",
				]
			: [
					"    # The runner's own reports, which are summed.",
					`    report: { format: ${report.format}, path: ${flow(report.path)} }`,
				];
	return [...entry, ...results, "    timeout: 10m"];
}

const DESCRIPTION = "Describe what to build or fix.";
const CRITERION = "Name one thing that must be true when it is done.";

export const STARTER_TASK = {
	description: DESCRIPTION,
	acceptance_criteria: [CRITERION],
	max_turns: 10,
};

/** Texts of the starter's task: they ask for nothing, so no agent is paid for them. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([DESCRIPTION, CRITERION]);

const TASK_LINES = [
	"# Every task is worked on by a pair: the driver builds, the challenger tries to show that it is wrong.",
	"defaults:",
	"  overlays:",
	"    paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: reviewer }",
	"",
	"# Tasks: what you want, and how to tell that it is done.",
	"tasks:",
	"  first-task: # edit this one, or let `spar plan FILE` replace it",
	`    description: ${flow(DESCRIPTION)}`,
	"    acceptance_criteria:",
	`      - ${flow(CRITERION)}`,
	"    # depends_on: [another-task]",
	`    max_turns: ${STARTER_TASK.max_turns}`,
];

export function starterWorkflow(facts: StarterFacts): string {
	return [
		`# yaml-language-server: $schema=${facts.schema}`,
		"# A Sparring workflow. Check it with: spar validate. Start it with: spar run",
		"version: 1",
		`name: ${flow(facts.name)}`,
		"",
		...setupLines(facts),
		"",
		...agentLines(facts),
		"",
		...sandboxLines(facts),
		"",
		...checkLines(facts),
		"",
		"# Files that an agent may not change or delete, besides this one and what defines the checks:",
		'# protected: ["test/**", ".github/**"]',
		"",
		"# Approved work is collected on a branch of the run; `spar land` brings it into your branch.",
		"merge: { into: integration }",
		"",
		...TASK_LINES,
		"",
	].join("\n");
}
