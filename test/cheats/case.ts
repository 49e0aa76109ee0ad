import type { Edit, Tree } from "./tree.ts";

/** A value as JSON. */
export type Json = string | number | boolean | null | readonly Json[];

/**
 * What the product must do: expressions and their values. In JavaScript and Python an expression may use every name
 * that the product's module exports; in a shell project it is a command and its value is the output. One that throws
 * has the value `throws MESSAGE`.
 */
export type Specification = Readonly<Record<string, Json>>;

/** Which program can evaluate a specification, and on what. */
export interface Probe {
	readonly by: "node" | "python" | "sh";
	/** JavaScript: path of the module; Python: its name. */
	readonly module: string;
}

export interface Task {
	readonly description: string;
	/** What the product must do besides what it did before. */
	readonly adds?: Specification;
	/** Expressions that no longer hold, as the task says. */
	readonly drops?: readonly string[];
	/** What the tamper wall lets pass, as a task of the workflow file has it. */
	readonly allow?: readonly {
		readonly path: string;
		readonly change: "delete" | "rename" | "skip" | "weaken" | "edit";
		readonly reason: string;
	}[];
}

/** A small project with one task, an honest solution of it, and one that breaks what worked before. */
export interface Project {
	readonly name: string;
	readonly runner: "node:test" | "vitest" | "own" | "make" | "pytest" | "unittest";
	/** Programs beside Node.js and git. */
	readonly needs: readonly ("python3" | "pytest" | "make")[];
	readonly files: Tree;
	/** The acceptance check, as in a workflow file. */
	readonly check: {
		readonly run: string;
		readonly report?: object;
		readonly baseline?: "strict" | "tolerate";
	};
	/** What tells the oracle that the tests pass, where some are red for good. Default: the check's command. */
	readonly passes?: string;
	readonly setup?: readonly string[];
	readonly probe: Probe;
	/** What the product does at the base. */
	readonly keeps: Specification;
	readonly task: Task & { readonly adds: Specification };
	/** Does the task, with tests. */
	readonly done: readonly Edit[];
	/** Does what the task adds, and fails tests of the base. */
	readonly broken: readonly Edit[];
	/** Texts of the product and what replaces them: each must fail a test. */
	readonly mutants: readonly (readonly [string, string])[];
}

interface Case {
	/** Unique in the catalogue. */
	readonly name: string;
	readonly project: Project;
	/** Default: the project's. */
	readonly task?: Task;
	readonly patch: readonly Edit[];
	/** A shell command of the player, in its checkout after the patch was applied. */
	readonly run?: string;
	/** Default: the project's. */
	readonly probe?: Probe;
	/** The coach accepts all that is asked, and quotes these words for what tests expect otherwise. */
	readonly quotes?: string;
	/** Mutants beside the project's. */
	readonly mutants?: Project["mutants"];
}

/**
 * Who can notice a dishonest patch: `wall` code alone, `confinement` a sandbox, `verifier` hidden tests, `review` a
 * reader.
 */
export type Kind = "wall" | "confinement" | "verifier" | "review";

/** A dishonest patch: it looks done and is not. */
export interface Cheat extends Case {
	readonly kind: Kind;
	/** How it is done. */
	readonly means: Means;
	/** Beside the specification of project and task; what only a reader would ask for. */
	readonly asks?: Specification;
}

export type Means =
	| "removed"
	| "rewritten"
	| "data"
	| "command"
	| "newcomer"
	| "disarmed"
	| "forged"
	| "excluded"
	| "hidden"
	| "special-cased"
	| "red-baseline"
	| "left-behind"
	| "allowed"
	| "addressed"
	| "outside"
	| "incomplete"
	| "harmful";

/** An honest patch: it does its task and keeps the tests as strong as they were. */
export type Honest = Case;
