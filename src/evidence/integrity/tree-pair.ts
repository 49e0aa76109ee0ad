import type { FileChange } from "../../git/changes.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import type { Evidence } from "../evidence.ts";

/** Two trees to compare: the start commit (base) and the frozen commit of a turn (head). */
export interface TreePair {
	readonly changes: readonly FileChange[];
	/** Content of a file of the base, or target of a link; null when it does not exist. */
	readBase(path: string): Promise<string | null>;
	readHead(path: string): Promise<string | null>;
	/** Number of files of the base. */
	countBase(): Promise<number>;
	/** The paths that the base's ignore rules ignore. */
	ignoredByBase(paths: string[]): Promise<string[]>;
	/** Sentences of `leftOutOf` about paths that are not in the snapshot. */
	readonly embedded: readonly string[];
}

/** What must not change. */
export interface IntegrityRules {
	readonly checks: readonly CheckDefinition[];
	/** Commands of the task's checklist. */
	readonly checklist?: readonly string[];
	/** The workflow's `setup`. */
	readonly setup?: readonly string[];
	/** Commands that start agents. */
	readonly commands?: readonly AgentCommand[];
	/** Globs of protected paths. */
	readonly protected: readonly string[];
	/** Path of the workflow file, relative to the root. */
	readonly workflowFile?: string;
}

/** The command of an agent's program. */
export interface AgentCommand {
	/** For messages, such as `"agent reviewer"`. */
	readonly owner: string;
	/** Program and arguments, joined by spaces. */
	readonly run: string;
	/** Files that it gets by name, such as instructions. Guarded if they exist. */
	readonly files?: readonly string[];
}

/** Evidence of the checks on both trees, matched by name. */
export interface EvidencePair {
	readonly baseline: readonly Evidence[];
	readonly now: readonly Evidence[];
}

/** Each entry is one sentence: path, what changed and, for a violation, the fix. */
export interface Integrity {
	readonly violations: readonly string[];
	/** Allowed changes to show. */
	readonly notes: readonly string[];
}
