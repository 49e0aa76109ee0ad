import type { Evidence } from "../../evidence/evidence.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { Allowance, AllowedKind, CheckDefinition } from "../../workflow/workflow.ts";
import type { TreeReader } from "../language/language.ts";
import type { Suspicion } from "../suspicion.ts";
import type { Sides } from "./sides.ts";
import type { Violation } from "./violation.ts";

export interface TreePair {
	readonly changes: readonly FileChange[];
	/** Content of a file of the base, or target of a link; null when it does not exist. */
	readBase(path: string): Promise<string | null>;
	readHead(path: string): Promise<string | null>;
	countBase(): Promise<number>;
	ignoredByBase(paths: string[]): Promise<string[]>;
	readonly trees: TreeReader;
	/** Sentences of `leftOutOf` about paths that are not in the snapshot. */
	readonly embedded: readonly string[];
}

/** Files and definitions that must not change. */
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
	/** Text of the task: values in it are no secret of the tests. */
	readonly told?: readonly string[];
	/** Values of the files that `copy` names, which belong into no commit. */
	readonly secrets?: readonly string[];
	/** Changes that the task asks for. */
	readonly allow?: readonly Allowance[];
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

/** Changed tests of the base that a replay showed to expect something else now. */
export interface Otherwise {
	/** Files with their cases. */
	readonly files: ReadonlyMap<string, readonly string[]>;
	/** Tells of a case whether it is gone together with what it tested. */
	readonly isGone: (caseId: string) => boolean;
	/** The number of tests that are. */
	readonly gone: number;
}

/** Evidence of the checks on both trees, matched by name. */
export interface EvidencePair {
	readonly baseline: readonly Evidence[];
	readonly now: readonly Evidence[];
	/** The line between product and tests, and whether the base's own tests hold on the product. */
	readonly replayed: {
		readonly sides: Sides;
		readonly holds: boolean;
		/** Changed files that act on the tests, where no replay could tell; left out: none. */
		readonly unproven?: ReadonlySet<string>;
		/** Nothing was run, so that no one knows whether they hold. */
		readonly isUntried?: boolean;
		/** Changed tests of the base that expect something else now; left out: none. */
		readonly otherwise?: Otherwise;
	};
	/** Changed files of the base's tests that were measured and notice all that they did; left out: none. */
	readonly kept?: ReadonlySet<string>;
}

/** A change that the task asks for and that would have blocked, or that a replay took as the player has it. */
export interface AllowedChange {
	readonly path: string;
	readonly change: AllowedKind;
	readonly reason: string;
}

/** The result of the comparison. Violations and notes are one sentence each. */
export interface Integrity {
	readonly violations: readonly string[];
	/** The files of violations, with what has to be allowed; null: nothing can allow it. */
	readonly blocked: readonly Pick<Violation, "path" | "change">[];
	readonly notes: readonly string[];
	/** Findings that code alone cannot decide. */
	readonly suspicions: readonly Suspicion[];
	readonly allowed: readonly AllowedChange[];
}
