import type { FileChange } from "../../git/changes.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import type { Evidence } from "../evidence.ts";

/** Two trees to compare: the start commit (base) and the frozen commit of a turn (head). */
export interface TreePair {
	readonly changes: readonly FileChange[];
	/** Content of a file of the base; null when it is not there. A link's content is its target. */
	readBase(path: string): Promise<string | null>;
	readHead(path: string): Promise<string | null>;
	/** How many files the base has. */
	countBase(): Promise<number>;
	/** Which of the paths the ignore rules of the base ignore. */
	ignoredByBase(paths: string[]): Promise<string[]>;
	/** What of the checkout is not part of the snapshot, such as a repository inside it: sentences of `leftOutOf`. */
	readonly embedded: readonly string[];
}

/** What may not be changed. */
export interface IntegrityRules {
	readonly checks: readonly CheckDefinition[];
	/** Lines of the workflow's `setup`. */
	readonly setup?: readonly string[];
	/** Commands that start agents. */
	readonly commands?: readonly AgentCommand[];
	/** Globs of protected paths. */
	readonly protected: readonly string[];
	/** Path of the workflow file, relative to the root. */
	readonly workflowFile?: string;
}

/** How an agent's own program is started. */
export interface AgentCommand {
	/** As shown in a sentence, such as `"agent reviewer"`. */
	readonly owner: string;
	/** Program and arguments, joined by spaces; arguments in quotes are words as well. */
	readonly run: string;
	/** Files that it is given by name, such as instructions: guarded when they are there. */
	readonly files?: readonly string[];
}

/** Evidence of the checks on both trees, matched by name. */
export interface EvidencePair {
	readonly baseline: readonly Evidence[];
	readonly now: readonly Evidence[];
}

/** Each entry is one sentence: path, what changed, and for a violation how to mend it. */
export interface Integrity {
	readonly violations: readonly string[];
	/** Changes that are allowed and shown. */
	readonly notes: readonly string[];
}
