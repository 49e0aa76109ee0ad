import type { Opened } from "../opened.ts";

interface Kinds {
	text: string;
	/** A whole number, 1 or more. */
	count: number;
	flag: boolean;
}

/** One thing that a verb takes. */
export interface Field {
	readonly kind: keyof Kinds;
	/** Spelling on the command line, `[task]` or `--run <run>`; null: only programs give it. */
	readonly spelt: string | null;
	readonly about: string;
	/** Programs must give it. People and agents need not: the only task of the run is meant. */
	readonly isNeeded?: true;
}

export type Fields = Readonly<Record<string, Field>>;

type Value<F extends Field> = F extends { readonly isNeeded: true }
	? Kinds[F["kind"]]
	: Kinds[F["kind"]] | undefined;

export type Given<F extends Fields> = { readonly [Name in keyof F]: Value<F[Name]> };

type Places<F extends Fields> = readonly (keyof F & string)[];

/**
 * Something that Sparring tells or does, for all who ask: the library's method, the command's argument and options, the
 * tool of an agent and the address of the page's server are made from it.
 *
 * @example `verb({ fields: { runId: RUN }, places: ["runId"], ... })` is `sparring.status(runId)` and `spar status [run]`
 */
export interface Verb<F extends Fields, P extends Places<F>, Told> {
	readonly fields: F;
	/** Fields that a program gives by their place, in this order; the others come in an object behind them. */
	readonly places: P;
	/** A reader opens the database read-only. */
	readonly access: "read" | "write";
	/** For the help: each is a line that can be typed. */
	readonly examples: readonly [string, string, string];
	/** What an agent is told of it; left out where it is no tool for agents. */
	readonly forAgents?: string;
	readonly run: (own: Opened, given: Given<F>) => Promise<Told>;
}

/** A verb whose types nobody needs: what doors are made of. */
export interface AnyVerb extends Omit<Verb<Fields, readonly string[], unknown>, "run"> {
	readonly run: (own: Opened, given: never) => Promise<unknown>;
}

export const verb = <const F extends Fields, const P extends Places<F>, Told>(
	value: Verb<F, P, Told>,
): Verb<F, P, Told> => value;

type Rest<F extends Fields, P extends Places<F>> = {
	readonly [Name in Exclude<keyof F, P[number]>]?: Value<F[Name]> | undefined;
};

type Arguments<F extends Fields, P extends Places<F>> = P extends readonly [
	infer First extends keyof F,
	...infer Others extends Places<F>,
]
	? undefined extends Value<F[First]>
		? [given?: Value<F[First]>, ...Arguments<F, Others>]
		: [given: Value<F[First]>, ...Arguments<F, Others>]
	: [];

/** The library's method of a verb. */
export type Method<V> =
	V extends Verb<infer F, infer P, infer Told>
		? (
				...given: [
					...Arguments<F, P>,
					...(Exclude<keyof F, P[number]> extends never ? [] : [options?: Rest<F, P>]),
				]
			) => Promise<Told>
		: never;
