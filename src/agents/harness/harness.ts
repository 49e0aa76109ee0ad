import type { Clock } from "../../kernel/clock.ts";
import type { AgentFailure, Role } from "../../kernel/roles.ts";
import type { ProcessResult } from "../../process/process.ts";
import type { PricedTokens } from "../price.ts";
import type { Rights } from "../rights.ts";
import type { AgentStep } from "./agent-step.ts";

/** Hosts of models and of the sign-in to them, by the models' maker. */
export const MODEL_HOSTS = {
	anthropic: ["api.anthropic.com", "*.anthropic.com", "claude.ai", "*.claude.com"],
	openai: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
	google: [
		"generativelanguage.googleapis.com",
		"cloudcode-pa.googleapis.com",
		"oauth2.googleapis.com",
		"accounts.google.com",
		"aiplatform.googleapis.com",
	],
} as const;

export interface Gateway {
	/** Such as `Amazon Bedrock`. */
	readonly name: string;
	readonly variable: string;
	readonly keys: readonly string[];
	readonly others: readonly string[];
}

/**
 * A coding agent's own program, such as `claude`, as a value: what it needs, how it is started for a call, and how what
 * it prints is read; all that Sparring knows of it but for whose models it asks. Pure but for `survey`, which reads the file system, and `signIn`, which runs the program; `harnessAgent` makes
 * an agent of it.
 */
export interface Harness {
	/** Adapter in the workflow file and program on the PATH. */
	readonly name: string;
	/** The npm package that installs it, and the version with which the adapter is tested. */
	readonly package: { readonly name: string; readonly version: string };
	/** Hosts of its models and of its sign-in, which a sandbox lets it reach. */
	readonly hosts: readonly string[];
	/** Places of its sign-in below the home directory, which a sandbox hides from everybody else. */
	readonly homes: readonly string[];
	/**
	 * Variables by which a user tells the harness where its own store is, such as `CODEX_HOME`; passed on with
	 * `login: user`.
	 */
	readonly storeVariables: readonly string[];
	/** Variables with which it is signed in by key, the preferred one first. */
	readonly keyVariables: readonly string[];
	/** Other ways to its models, the preferred one first. */
	readonly gateways: readonly Gateway[];
	/**
	 * Looks, before each call, at what `launch` depends on besides the seat: how the user signs in, what the checkout
	 * holds. Changes nothing and never rejects. Left out: nothing is looked at.
	 */
	survey?(seat: HarnessSeat): Promise<HarnessSurvey>;
	/** Arguments, variables and files of one call. Depends on nothing but the seat. */
	launch(seat: HarnessSeat): HarnessLaunch;
	/** A fresh reader of what one call prints; the clock is for what it says about points in time. */
	reader(clock: Clock): HarnessReader;
	/** Steps of the agent that an event tells, in their order; takes any value. */
	steps(event: unknown): readonly AgentStep[];
	/** Looks for a sign-in; asks the harness itself where that needs no network, at most 20 s. */
	signIn(look: HarnessLook): Promise<SignIn>;
}

/** Server of the Model Context Protocol. */
export interface ToolServer {
	readonly name: string;
	/** Program and arguments. */
	readonly command: readonly string[];
	/** Variables that it may see, with their values. */
	readonly env: Readonly<Record<string, string>>;
}

export interface HarnessSeat {
	readonly role: Role;
	readonly rights: Rights;
	readonly prompt: string;
	readonly cwd: string;
	readonly workDir: string;
	readonly tmpDir: string;
	readonly login: Login;
	// For the harness's own files: of this call alone and empty, in `workDir`.
	readonly home: string;
	readonly userHome: string | undefined;
	readonly store: Readonly<Record<string, string>>;
	readonly model: string | undefined;
	// They come after Sparring's, so they can override them.
	readonly args: readonly string[];
	readonly schema: Readonly<Record<string, unknown>> | null;
	// Values of `keyVariables`, and of those that switch a gateway on, that the workflow passes on to this agent.
	readonly keys?: Readonly<Record<string, string>>;
	readonly confined: boolean;
	// Of a player; nobody else has any. Their variables are in the harness's environment.
	readonly servers?: readonly ToolServer[];
	readonly found?: Readonly<Record<string, string>>;
}

export interface HarnessSurvey {
	readonly found: Readonly<Record<string, string>>;
	readonly refusal: string | null;
}

/** `user`: the harness's own sign-in, where it is. `key`: a private home, and a key from the environment. */
export type Login = "user" | "key";

export interface HarnessLaunch {
	readonly args: readonly string[];
	// Null when the arguments leave it open.
	readonly model: string | null;
	readonly env: Readonly<Record<string, string>>;
	// By absolute path inside `home` or `workDir`.
	readonly files: Readonly<Record<string, string>>;
	// Absolute path inside `home` to one in the user's own store, which need not exist.
	readonly links?: Readonly<Record<string, string>>;
	readonly stdin: string;
	readonly writable: readonly string[];
}

/** Folds the JSON lines that a harness prints into the end of its call. Keeps no history: memory is bounded. */
export interface HarnessReader {
	/** Takes one JSON value. Unknown kinds and shapes are ignored, never thrown at. */
	read(event: unknown): void;
	/** Asked after each event: true once the program goes round in circles, so that it is ended at once. */
	stuck?(): boolean;
	/**
	 * Called once, after the last line; also after a timeout, and for a program that did not start: then only what it
	 * says was spent counts.
	 */
	end(exit: HarnessExit): HarnessEnd;
}

export type HarnessExit = Pick<ProcessResult, "exitCode" | "signal" | "stderr">;

/**
 * `answered` only after an event that says in so many words that the turn was completed: an exit code alone proves
 * nothing.
 */
export type HarnessEnd =
	| { readonly kind: "answered"; readonly message: FinalMessage; readonly spent: Spending | null }
	| {
			readonly kind: "failed";
			readonly failure: AgentFailure;
			/** One sentence, beginning with the harness's name. */
			readonly message: string;
			readonly spent: Spending | null;
			readonly retryAfterMs?: number | undefined;
	  };

/** An object of its structured output, else the text of the agent's final message. */
export type FinalMessage = { readonly structured: unknown } | { readonly text: string };

/** Null where the harness does not say; the model is the one that really answered. */
export interface Spending extends PricedTokens {
	readonly costUsd: number | null;
}

export interface HarnessLook {
	run(args: readonly string[]): Promise<ProcessResult>;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly login: Login;
	readonly named: readonly string[];
	readonly args?: readonly string[];
}

/** The sign-in of a harness, for `spar doctor`. */
export interface SignIn {
	/** `"warn"`: it cannot be told without a call. */
	readonly ok: boolean | "warn";
	/** Such as `signed in with an account`, `ANTHROPIC_API_KEY is set`. */
	readonly detail: string;
	readonly fix: string | null;
}
