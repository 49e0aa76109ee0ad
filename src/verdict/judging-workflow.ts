import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readFileAt } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { shellWord } from "../kernel/shell-word.ts";
import { WORKFLOW_FILE } from "../places/places.ts";
import { foundProject } from "../ready/init/found-project.ts";
import { HARNESSES } from "../workflow/harnesses.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { workflowOfChecks } from "../workflow/workflow-of-checks.ts";
import type { CheckOptions } from "./check-bench.ts";
import type { Subject } from "./subject.ts";

export interface JudgingPlace {
	readonly vault: Vault;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Shows the base, where its files tell how it is tested; null where nothing is run: then the user's files tell. */
	readonly checkout: Checkout | null;
	/** Agents that the calling program serves. */
	readonly valueAgents: readonly string[];
	/** False: nobody is asked to review, so that without a file no agent is looked for. */
	readonly asksAgents: boolean;
	/** The user's folder below the root; empty at the root. */
	readonly below: string;
}

/** Says to a user in a folder below the root where commands run; none at the root, or where the command goes there. */
export function atRootHints(below: string, run: string): readonly string[] {
	if (below === "" || run.includes(`cd ${shellWord(below)}`)) return [];
	const there = shellWord(`cd ${shellWord(below)} && ${run}`);
	return [
		`Commands run at the root of the repository, not in ${below}. For those of that folder: spar check --command ${there}`,
	];
}

/** Source of checks of which the base knows nothing. */
export const FOUND_IN_WORK = "found in the work";

/** The workflow with what the user says of its checks and its setup. */
export function asAsked(
	workflow: Workflow,
	{ exitCode = false, timeoutMs, setup }: Pick<CheckOptions, "exitCode" | "timeoutMs" | "setup">,
): Workflow {
	const checks = workflow.checks.map((check) => ({
		...check,
		...(timeoutMs === undefined ? {} : { timeoutMs }),
		...(exitCode && isAcceptance(check) ? { report: { format: "exit" } as const } : {}),
	}));
	if (setup === undefined) return { ...workflow, checks };
	return { ...workflow, checks, setup: setup === false ? [] : [setup] };
}

/** The checks that judge, and where they come from in words. */
export interface JudgingWorkflow {
	readonly workflow: Workflow;
	readonly from: string;
}

/**
 * The checks that judge: those of the base's workflow file, which the work cannot change; of the user's own where the base
 * has none; else what `spar init` would find in the base, or in the work where the base has no tests. A named command takes their place.
 *
 * @throws Fault `workflow-invalid`, and `usage` where no test command is found
 */
export async function judgingWorkflow(
	subject: Subject,
	command: string | undefined,
	place: JudgingPlace,
): Promise<JudgingWorkflow> {
	const { vault } = place;
	const { root } = vault.repository;
	const ofBase = await readFileAt(vault, subject.base, WORKFLOW_FILE);
	const own = ofBase === undefined && subject.isOwn ? await ownFile(root) : null;
	const content = ofBase ?? own;
	const file = content === null ? null : withoutFile(await loaded(content, place));
	if (command === undefined && file !== null && file.checks.some(isAcceptance))
		return { workflow: file, from: WORKFLOW_FILE };
	const made = await foundFor(subject, command, place);
	if (made !== null)
		return file === null
			? made
			: // A gate is of the file's own checks.
				{ ...made, workflow: { ...file, checks: made.workflow.checks, gatePolicy: undefined } };
	throw new Fault(`no test command was found for ${root}`, {
		code: "usage",
		hint: [
			'Name it: spar check --command "make test". Or write it into sparring.yaml, which spar init begins.',
			...atRootHints(place.below, "make test"),
		].join("\n"),
	});
}

async function foundFor(
	{ base, commit }: Subject,
	command: string | undefined,
	place: JudgingPlace,
): Promise<JudgingWorkflow | null> {
	const inBase = await found(base, command, place);
	if (inBase.checks.some(isAcceptance))
		return { workflow: inBase, from: command === undefined ? "found in the base" : "--command" };
	// The first tests of a project come with the work.
	const inWork = await found(commit, command, place);
	if (inWork.checks.some(isAcceptance)) return { workflow: inWork, from: FOUND_IN_WORK };
	return place.checkout === null ? { workflow: inBase, from: "no test command was found" } : null;
}

/** Tells whether a check runs tests. */
export const isAcceptance = ({ kind }: Workflow["checks"][number]): boolean =>
	kind === "acceptance";

const ownFile = (root: string): Promise<Buffer | null> =>
	readFile(join(root, WORKFLOW_FILE)).catch(() => null);

// The base's own decides, so that a change of it is a question like that of any other configuration.
const withoutFile = (workflow: Workflow): Workflow => ({ ...workflow, file: undefined });

async function loaded(
	content: Buffer | string,
	{ vault, valueAgents }: JudgingPlace,
): Promise<Workflow> {
	// Most projects have no file.
	const { loadWorkflow } = await import("../workflow/load.ts");
	const { requireWorkflow } = await import("../places/load-source.ts");
	const { root } = vault.repository;
	const input = { content, file: WORKFLOW_FILE, directory: root, repositoryRoot: root };
	return requireWorkflow(loadWorkflow({ ...input, valueAgents, mayLackTasks: true }), {
		kind: "file",
	});
}

async function found(
	commit: string,
	command: string | undefined,
	place: JudgingPlace,
): Promise<Workflow> {
	const { checkout, env, vault, asksAgents } = place;
	await checkout?.forceTo(commit);
	const root = checkout?.dir ?? vault.repository.root;
	if (asksAgents) {
		const { starterFile } = await import("../ready/init/init.ts");
		const { text } = await starterFile({ root, env, packageFolder: "" }, { command });
		return withoutFile(await loaded(text, place));
	}
	const { project, ...needs } = await foundProject(root, env, command);
	if (project.watching !== undefined && command === undefined && checkout !== null)
		throw new Fault(`the test script watches for changes and never ends: ${project.watching}`, {
			code: "usage",
			hint: `Name a command that runs the tests once:\nspar check --command ${onceText(project.watching)}`,
		});
	return workflowOfChecks({ ...project, ...needs });
}

// The script without what makes it watch, where that is enough.
function onceText(script: string): string {
	if (/\bnodemon\b|[;|\n]/.test(script)) return "CMD";
	const once = script
		.replaceAll(/\bvitest\s+(?:watch|dev)\b/g, "vitest run")
		.replaceAll(/\s--watch(?:All)?(?![\w=-])/g, "");
	if (once === script) return "CMD";
	// Programs of the project are not on the PATH.
	return shellWord(
		once
			.split(/\s*&&\s*/)
			.map((each) => (/^(?:node|npx|npm)\b/.test(each) ? each : `npx ${each}`))
			.join(" && "),
	);
}

/**
 * Refuses a reviewer who is neither an agent of the workflow nor a coding agent, before anything runs.
 *
 * @throws Fault `usage`
 */
export function requireAgent({ agents }: Workflow, name: string | undefined): void {
	const known = [...Object.keys(agents), ...HARNESSES];
	if (name === undefined || known.includes(name)) return;
	throw new Fault(`there is no agent ${quote(name)}`, {
		code: "usage",
		hint: `There are: ${known.join(", ")}`,
	});
}
