import type { CheckDefinition, Workflow } from "./workflow.ts";

/** Facts about a project that has no workflow file. */
export interface ProjectChecks {
	readonly setup: readonly string[];
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind" | "run" | "report">[];
	readonly hosts: readonly string[];
	readonly unixSockets: boolean;
}

/**
 * The workflow of a file that names these checks and nothing else: no agent, no task. A test compares it with what the loader
 * makes of such a file.
 */
export function workflowOfChecks({ setup, checks, hosts, unixSockets }: ProjectChecks): Workflow {
	return {
		version: 1,
		name: "sparring",
		agents: {},
		setup: [...setup],
		setupInputs: [],
		setupCache: true,
		checks: checks.map((check): CheckDefinition => {
			const baseline = check.kind === "lint" ? "tolerate" : "new";
			return { ...check, baseline };
		}),
		protected: [],
		sandbox: { mode: "auto", allowHosts: [...hosts], ...(unixSockets ? { unixSockets } : {}) },
		verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
		mutation: { when: "auto", timeoutMs: 180_000 },
		human: { enabled: true },
		merge: { into: "integration", style: "squash", message: "{title}" },
		maxParallel: 2,
		keepRuns: 50,
		tasks: [],
		file: undefined,
	};
}
