import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { agentScript } from "./agent-script.ts";
import type { TestRepository } from "./repository.ts";

/**
 * What a scripted agent does in one call. The first step whose keys all match is taken; a key that is left out
 * matches everything. No matching step: the agent exits with 9.
 */
export interface Step {
	readonly task?: string;
	/** Empty string: the task has no subtask. */
	readonly subtask?: string;
	readonly role?: "player" | "coach" | "verifier" | "evaluator" | "tie_breaker" | "planner";
	readonly turn?: number;
	/** Counts the starts of this role in this task, subtask and turn, from 1; one that was killed counts. */
	readonly call?: number;
	/** Paths in the checkout; null removes. */
	readonly files?: Readonly<
		Record<
			string,
			| string
			| null
			| { readonly base64: string; readonly mode?: string }
			| { readonly link: string }
		>
	>;
	/** Written to `SPAR_REPORT`: an object as JSON, a string as it is. `$ID0` becomes the first open finding's id. */
	readonly report?: unknown;
	readonly stdout?: string;
	readonly stderr?: string;
	/** A shell command, run in the checkout after the files were written. */
	readonly run?: string;
	/** Before anything is written. */
	readonly delayMs?: number;
	/** Leaves a process in a session of its own that ignores SIGTERM. */
	readonly grandchild?: boolean;
	/** Never ends by itself. */
	readonly hang?: boolean;
	/** Default 0. */
	readonly exit?: number;
}

const callLine = z.object({
	event: z.enum(["start", "end", "grandchild"]),
	run: z.string(),
	task: z.string(),
	subtask: z.string(),
	role: z.string(),
	turn: z.number(),
	call: z.number(),
	pid: z.number(),
});

/** A line of the log that the agents write outside of the repository. */
export type CallLine = z.infer<typeof callLine>;

export interface ScriptedAgents {
	/** For a workflow's `agents`: `dev` and `coach`, both this script. */
	readonly agents: Readonly<Record<"dev" | "coach", CommandAgent>>;
	/** What the agents have done so far, in order; lines that were cut off by a kill are left out. */
	readonly calls: () => readonly CallLine[];
	/** Absolute path of the log. */
	readonly log: string;
}

export interface CommandAgent {
	readonly adapter: "command";
	readonly run: readonly [string, ...string[]];
}

const PROGRAM = join(import.meta.dirname, "agent.cjs");

function parsed(line: string): readonly CallLine[] {
	try {
		return [callLine.parse(JSON.parse(line))];
	} catch {
		return [];
	}
}

/** Writes the script beside the repository, never in it, and gives the agents that play it. */
export function scriptedAgents(
	repo: TestRepository,
	steps: readonly Step[],
	name = "agents",
): ScriptedAgents {
	const log = join(repo.home, `${name}.log`);
	writeFileSync(join(repo.home, `${name}.json`), JSON.stringify({ log, steps }));
	const inNode = ["node", PROGRAM, `${name}.json`];
	writeFileSync(join(repo.home, `${name}.sh`), agentScript({ log, steps, inNode }));
	// Relative to HOME, so that the same workflow file, and with it each commit's tree, serves every test.
	const agent: CommandAgent = { adapter: "command", run: ["sh", "-c", `. "$HOME/${name}.sh"`] };
	return {
		agents: { dev: agent, coach: agent },
		log,
		calls: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").flatMap(parsed) : []),
	};
}

/** A coach's report that approves: each criterion met. */
export function approval(...criteria: readonly string[]): unknown {
	return {
		decision: "approve",
		rationale: "Each criterion is met.",
		requirements_status: criteria.map((criterion) => ({ criterion, met: true, evidence: "seen" })),
	};
}

/** A coach's report that asks for rework: one major finding an issue, each criterion met but those named. */
export function feedback({
	issues,
	met = [],
	unmet = [],
	fixed = [],
}: {
	readonly issues: readonly string[];
	readonly met?: readonly string[];
	readonly unmet?: readonly string[];
	/** Ids of findings, or `$ID0`. */
	readonly fixed?: readonly string[];
}): unknown {
	return {
		decision: "feedback",
		rationale: "Not yet.",
		requirements_status: [
			...met.map((criterion) => ({ criterion, met: true, evidence: "seen" })),
			...unmet.map((criterion) => ({ criterion, met: false, evidence: "missing" })),
		],
		findings_status: fixed.map((id) => ({ id, status: "fixed" })),
		feedback_items: issues.map((issue) => ({ issue, severity: "major" })),
	};
}
