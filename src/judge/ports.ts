import type { DefinedCheck, Evidence } from "../evidence/evidence.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Vault } from "../git/vault.ts";
import type { ProcessHost } from "../process/process.ts";
import type { ShownHome } from "../setups/execution.ts";
import type { KeptSetups } from "../setups/kept/kept-setups.ts";
import type { Platform } from "../setups/kept/platform.ts";
import type { EventData, EventType } from "../trace/event.ts";
import type { FirstAlone } from "./first-alone.ts";

/** Port: the commits that are judged, and the places in which they are. */
export interface Checkouts {
	readonly vault: Vault;
	readonly places: {
		readonly checks: Checkout;
		/** In which a setup is made that is kept; no agent and no check works there. */
		readonly clean: Checkout;
		/** Absolute directory for states of setups and temporary files. */
		readonly work: string;
		/** Folder of outputs among the files of runs. */
		readonly outputs: string;
		/** Checkouts in which agents work, if any do. */
		readonly player?: Checkout;
		readonly coach?: Checkout;
		readonly verifier?: Checkout;
	};
	/** Keeps commits that no branch holds, so that `git gc` lets them be. */
	readonly refs: { keep(label: string, commit: string): Promise<void> };
}

/** Part of a judgement that takes long, as it begins: `trial` is the base where the user works. */
export interface JudgingStep {
	readonly name: "setup" | "base" | "trial" | "work" | "replay" | "notices";
	/** Command of the check, or of the setup. */
	readonly run: string;
	/** Time that the check took on the base, in milliseconds; null: it is not known. */
	readonly baseMs: number | null;
}

/** Port: what is run, in which surroundings. */
export interface Processes {
	/** Left out: nobody follows. */
	readonly onStep?: ((step: JudgingStep) => void) | undefined;
	/** Starts setups and checks, as confined as the workflow asks for. */
	readonly host: ProcessHost;
	/** Aborted when the judgement is to end. */
	readonly signal: AbortSignal;
	/** Allow-listed environment of a child, with the named variables besides. */
	readonly environment: (names: readonly string[]) => Readonly<Record<string, string>>;
	/** Environment of what the user starts: for runs of the user's own commits alone. */
	readonly userEnvironment: () => Readonly<Record<string, string>>;
	/** Set where executions see the home of the user. */
	readonly shown?: ShownHome | undefined;
	/** Results of setups that are kept and copied; null: each checkout is set up by itself. */
	readonly setups: Setups | null;
}

/** Setups that are kept. */
export interface Setups {
	readonly kept: KeptSetups;
	/** Absolute directory of the results that all runs of the repository share: those of the user's own commits. */
	readonly shelf: string;
	/** Their dependency besides their commands and inputs. Asked once. */
	platform(): Promise<Platform>;
}

/** Port: evidence as it is stored, of the work and of its base. A run has it in its database, a check in memory. */
export interface EvidenceStore {
	/** Number of the turn that the work is of; names files and refs. */
	readonly turn: number;
	/** Number of an attempt among all of the turn. */
	attempt(nth: number): number;
	/** Evidence of the work, the last piece of each check. */
	ofWork(): Promise<readonly Evidence[]>;
	/** Likewise of its base. */
	ofBase(): Promise<readonly Evidence[]>;
	/** The commit that the work began on; null: none is known. */
	startCommit(): Promise<string | null>;
	/** Evidence of a tree that was made for other work of the same run; undefined: there is none. */
	elsewhere(tree: string, of: DefinedCheck): Promise<Evidence | undefined>;
	/** Stores a piece, and tells of it. */
	keep(piece: Evidence, attempt: number, told: EventData["check-ran"]): Promise<void>;
	/** Result of a part of the judgement that was stored for the work, by its name; undefined: none was. */
	part<Result>(name: string): Promise<Result | undefined>;
	keepPart(name: string, result: unknown): Promise<void>;
	/** Tells whoever follows the judgement. */
	tell<Type extends EventType>(type: Type, data: EventData[Type]): Promise<void>;
}

/** Evidence by tree and check that outlives a run. */
export interface KeptBases {
	/** Digest of what a result here depends on besides tree, check and setup: machine, sandbox, programs, environment. */
	variant(): Promise<string>;
	/** That of the same tree and definition; undefined: it has to run. */
	find(tree: string, of: DefinedCheck): Promise<Evidence | undefined>;
	/** Keeps a piece for later; one that cannot be kept is made again. */
	keep(piece: Evidence): Promise<void>;
	/**
	 * Tells whether something was found red where the user works too, within a day.
	 *
	 * @param what any JSON value that says all of it
	 */
	isRedThere(what: unknown): Promise<boolean>;
	keepRedThere(what: unknown): Promise<void>;
}

/** Port: evidence that is kept. */
export interface Evidences {
	readonly evidence: EvidenceStore;
	/** Results that later runs and checks take for their baseline. */
	readonly bases: KeptBases;
	/** Baselines that are being taken. */
	readonly baselines: FirstAlone;
}
