import type { ProjectKind } from "./project-kind.ts";
import type { StarterAgent } from "./starter-agents.ts";

/** What the starter file is written from. */
export interface StarterFacts {
	/** Name of the workflow: the folder's. */
	readonly name: string;
	readonly project: ProjectKind;
	readonly agents: readonly StarterAgent[];
	/** Path of the JSON Schema relative to the file, for editors; null when the package is not installed there. */
	readonly schema: string | null;
	/** Whether `.gitignore` names the folder of the dependencies. */
	readonly dependenciesIgnored: boolean;
}

/** A text or list in YAML's flow style: JSON is that. */
const flow = (value: unknown): string =>
	JSON.stringify(value).replaceAll(
		/[\u007f-\u009f\u2028\u2029\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
const flowList = (values: readonly string[]): string => `[${values.map(flow).join(", ")}]`;

function setupLines({ project, dependenciesIgnored }: StarterFacts): string[] {
	const { dependencies } = project;
	const warning =
		dependencies === null || dependenciesIgnored
			? []
			: [
					`# ${dependencies} is not in .gitignore. Add it before the first run: what git does not ignore`,
					"# becomes part of the agent's commits.",
				];
	return [
		"# Commands that run once in every checkout, and again when a manifest or lock file changed.",
		...warning,
		`setup: ${flowList(project.setup)}`,
	];
}

function agentLines({ agents }: StarterFacts): string[] {
	const entries = agents.flatMap(({ name, run, env }) => [
		`  ${name}:`,
		"    adapter: command",
		`    run: ${flowList(run)}`,
		...(env.length === 0 ? [] : [`    env: ${flowList(env)}`]),
		"    timeout: 30m",
	]);
	const missing = agents.some(({ found }) => !found)
		? [
				"# No known coding agent is on the PATH: replace your-agent by a program that edits files in its",
				"# working directory.",
			]
		: [];
	return [
		"# Agents: programs that read the prompt on standard input and work in the current directory.",
		"# They get SPAR_ROLE, SPAR_TASK, SPAR_CONTEXT and more; the coach writes its JSON report to the file",
		"# that SPAR_REPORT names. `env` lists further environment variables that an agent may see.",
		"# They run with your own rights: there is no sandbox yet.",
		...missing,
		"agents:",
		...entries,
	];
}

function checkLines({ project }: StarterFacts): string[] {
	const about = [
		"# Checks: what Sparring itself runs on every commit. An agent's word is no evidence.",
		"# Kinds: acceptance (tests), lint, security, readiness, coverage.",
	];
	if (project.test === null) {
		return [
			...about,
			"# No test command was found. Without an acceptance check nothing is merged; fill in yours:",
			"# checks:",
			'#   tests: { kind: acceptance, run: "make test", report: { format: exit }, timeout: 10m }',
		];
	}
	const report = project.runnerKnown
		? [
				"    # Counts are read from the runner's output. A report file is surer:",
				"    # report: { format: junit, path: out/junit.xml }",
			]
		: [
				"    # The output of this command is not recognised, so its exit code alone decides. A report that",
				"    # names the cases is better: { format: junit, path: out/junit.xml }",
				"    report: { format: exit }",
			];
	return [
		...about,
		"checks:",
		"  tests:",
		"    kind: acceptance",
		`    run: ${flow(project.test)}`,
		...report,
		"    timeout: 10m",
	];
}

const TASK_LINES = [
	"# Every task is worked on by a pair: the driver builds, the challenger tries to show that it is wrong.",
	"defaults:",
	"  overlays:",
	"    paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: reviewer }",
	"",
	"# Tasks: say what is wanted, and how anybody can tell that it is done. Edit this one.",
	"tasks:",
	"  first-task:",
	'    description: "Say here what is to be built or mended."',
	"    acceptance_criteria:",
	'      - "Say here one thing that must hold when it is done."',
	"    # depends_on: [another-task]",
	"    max_turns: 10",
];

/** Text of a `sparring.yaml` with comments that explain each part. */
export function starterWorkflow(facts: StarterFacts): string {
	return [
		...(facts.schema === null ? [] : [`# yaml-language-server: $schema=${facts.schema}`]),
		"# A Sparring workflow. Check it with: spar validate. Start it with: spar run",
		"version: 1",
		`name: ${flow(facts.name)}`,
		"",
		...setupLines(facts),
		"",
		...agentLines(facts),
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
