import type { ReadWorkflow, WorkflowSource } from "../../places/load-source.ts";
import type { Opened } from "../opened.ts";

/** Values that a field may have. */
interface Kinds {
	text: string;
	texts: readonly string[];
	/** A whole number, 1 or more. */
	count: number;
	number: number;
	/** In milliseconds. */
	duration: number;
	flag: boolean;
	/** A text, or false for none at all. */
	choice: string | false;
	source: WorkflowSource | ReadWorkflow;
	object: object;
	list: readonly unknown[];
	callback: (...told: never) => unknown;
	signal: AbortSignal;
	/** Told apart by the verb itself. */
	any: unknown;
}

export type Kind = keyof Kinds;

/** One thing that a verb takes. */
export interface Field<K extends Kind = Kind> {
	readonly kind: K;
	/** Spelling on the command line, `[task]` or `--run <run>`; left out: only programs give it. */
	readonly spelt?: string;
	readonly about?: string;
	/** Largest count. */
	readonly most?: number;
	/** The only texts. */
	readonly oneOf?: readonly string[];
	/** Programs must give it; so must people, unless it is spelt `[task]`: then the only task of the run is meant. */
	readonly isNeeded?: true;
	/** Nothing for agents, such as what lets work pass. */
	readonly forPeople?: true;
}

export type Fields = Readonly<Record<string, Field>>;

type KindOf<T> = {
	[K in Kind]: [NonNullable<T>] extends [Kinds[K]] ? K : never;
}[Kind];

/** Page of the user's guide that a help names. */
export type GuidePage =
	| "ci"
	| "commands"
	| "dashboard"
	| "getting-started"
	| "machines"
	| "monitoring"
	| "people"
	| "troubleshooting"
	| "verification"
	| "workflows";

/**
 * Something that Sparring tells or does, for all who ask: the library's method, the command's argument and options, the
 * tool of an agent and the address of the page's server are made from it.
 *
 * @example `verb({ fields: { runId: RUN }, places: ["runId"], ... })` is `sparring.status(runId)` and `spar status [run]`
 */
export interface Verb<G extends object, P extends readonly string[], Told> {
	/** Its command, where the method has another name; with a space in it, it is a part of that command. */
	readonly named?: string;
	/** For the help of all commands. */
	readonly summary: string;
	readonly fields: Fields &
		NoInfer<{ readonly [Name in keyof Required<G>]: Field<KindOf<G[Name]>> }>;
	/**
	 * Fields that a program gives by their place, in this order; the others come in an object behind them, which a last
	 * place `...` makes a must.
	 */
	readonly places: P;
	/** A reader opens the database read-only. */
	readonly access: "read" | "write";
	/** For the help: each is a line that can be typed. */
	readonly examples: readonly [string, string, string];
	readonly page?: GuidePage;
	/** Description for agents; left out where it is no tool for agents. */
	readonly forAgents?: string;
	readonly run: (own: Opened, given: G) => Promise<Told>;
}

/** A verb whose types nobody needs: what doors are made of. */
export interface AnyVerb
	extends Omit<Verb<object, readonly [], unknown>, "fields" | "places" | "run"> {
	readonly fields: Fields;
	readonly places: readonly string[];
	readonly run: (own: Opened, given: never) => Promise<unknown>;
}

type Arguments<G, P> = P extends readonly [infer First extends keyof G, ...infer Others]
	? undefined extends G[First]
		? [given?: G[First], ...Arguments<G, Others>]
		: [given: G[First], ...Arguments<G, Others>]
	: [];

type Options<Rest, IsNeeded> = keyof Rest extends never
	? []
	: IsNeeded extends true
		? [options: Rest]
		: [options?: Rest];

/** Input of a verb. */
export type GivenTo<V> = V extends Verb<infer G, infer _P, infer _Told> ? G : never;

/** The library's method of a verb. */
export type Method<V> =
	V extends Verb<infer G, infer P, infer Told> ? Methods<G, P, Told>["method"] : never;

interface Methods<G, P extends readonly string[], Told> {
	method(
		...given: [
			...Arguments<G, P>,
			...Options<Omit<G, P[number]>, "..." extends P[number] ? true : false>,
		]
	): Promise<Told>;
}
