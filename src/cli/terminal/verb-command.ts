import { Option } from "commander";
import type { Sparring } from "../../library/sparring.ts";
import { callVerb, type GivenValues, type ToldBy, withTask } from "../../library/verbs/call.ts";
import { argumentOf } from "../../library/verbs/fields.ts";
import { VERBS, type VerbName } from "../../library/verbs/table.ts";
import type { AnyVerb, Field, Fields, GivenTo, Kind } from "../../library/verbs/verb.ts";
import { checkAllowance } from "../../verdict/check-allowance.ts";
import { dollars } from "../../words/item-offers.ts";
import {
	type CliCommand,
	type CommandForm,
	commandOf,
	type JsonFlag,
	type Options,
	type Told,
	VERBOSE,
} from "./command.ts";
import { durationMs, oneOf, wholeNumber, wholeNumberTo } from "./option-values.ts";
import { type Look, lookOf } from "./paint.ts";
import { type Shell, withSparring } from "./shell.ts";
import { workflowSource } from "./workflow-source.ts";

type GivenBy<Name extends VerbName> = Partial<GivenTo<(typeof VERBS)[Name]>>;

/** Call of a verb at a door. */
export interface VerbCall<Name extends VerbName> {
	readonly sparring: Sparring;
	/** By the names of the fields. */
	readonly given: GivenBy<Name>;
}

/** A command that a verb makes, and with it the tool of agents. */
export interface VerbCommand<Name extends VerbName = VerbName> extends CliCommand {
	readonly method: Name;
	readonly tell: (
		call: { readonly sparring: Sparring; readonly given: GivenValues },
		look: Look,
	) => Promise<Told>;
}

/** Loads the command of a name. */
export type LoadCommand = (name: string) => Promise<CliCommand | VerbCommand | undefined>;

/** Words and options of a command line. */
export interface Typed<Name extends VerbName, Flags> extends Pick<VerbCall<Name>, "given"> {
	readonly shell: Shell;
	readonly flags: Flags & JsonFlag;
	readonly words: readonly string[];
}

interface Door<Name extends VerbName, Flags> {
	/** In words; JSON where it is left out. */
	readonly show?: (told: ToldBy<Name>, look: Look) => Omit<Told, "json">;
	/** Instead of telling it. */
	readonly act?: (
		call: VerbCall<Name> & Typed<Name, Flags>,
		tell: () => Promise<Told>,
	) => Promise<number | Told>;
	/** The same, before Sparring is opened. */
	readonly alone?: (typed: Typed<Name, Flags>) => Promise<number | Told>;
	/** Options behind those of the verb. */
	readonly options?: Options;
	/** Options behind one of them, or behind the argument. */
	readonly behind?: Readonly<Record<string, Options>>;
	/** True where `act` itself says which arguments are too many. */
	readonly more?: boolean;
}

const READERS: Readonly<
	Partial<Record<Kind, (field: Field) => undefined | ((text: string, before: unknown) => unknown)>>
> = {
	text: ({ oneOf: values }) => values && oneOf(values),
	count: ({ most }) => (most === undefined ? wholeNumber : wholeNumberTo(most)),
	number: () => dollars,
	duration: () => durationMs,
	list: () => (text, before) => [before ?? [], checkAllowance(text)].flat(),
};

/** Options of commands that follow a run. */
export const RUN_OUTPUT: Options = {
	"--verbose": VERBOSE,
	"--json": "print the report as JSON at the end",
	"--events": "print each event as a line of JSON; with --json the report is the last line",
};

/** The options of fields, by what a person types. */
export function optionsOf(fields: Fields, behind: Readonly<Record<string, Options>> = {}): Options {
	const argument = argumentOf(fields);
	const listed = Object.values(fields).flatMap((field) => {
		const { spelt, about = "", kind } = field;
		if (spelt === undefined) return [];
		const reader = READERS[kind]?.(field);
		const told = reader === undefined ? about : ([about, reader] as const);
		const own = field === argument ? [] : [[spelt, told] as const];
		return [...own, ...Object.entries(behind[spelt] ?? {})];
	});
	return Object.fromEntries(listed);
}

function formOf(
	{ fields, examples, page }: AnyVerb,
	{ options, behind, more }: Pick<Door<VerbName, never>, "options" | "behind" | "more">,
): CommandForm {
	const { spelt, about = "" } = argumentOf(fields) ?? {};
	return {
		examples,
		page,
		argument: spelt === undefined ? undefined : [spelt, about],
		more,
		required: Object.values(fields).flatMap(({ spelt: option = "", isNeeded }) =>
			isNeeded === true && option.startsWith("--") ? [option] : [],
		),
		options: { ...optionsOf(fields, behind), ...options },
	};
}

/** Values of a command line by the names of the fields. */
export function givenOf(fields: Fields, argument: string | undefined, flags: object): GivenValues {
	const ofArgument = argumentOf(fields);
	const given = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
		const { spelt, kind } = field;
		if (spelt === undefined) return [];
		if (kind === "source") return [[name, workflowSource(argument, {})]];
		if (field === ofArgument) return [[name, argument]];
		return [[name, Reflect.get(flags, new Option(spelt).attributeName())]];
	});
	return Object.fromEntries(given);
}

/** The same of a verb, which reads it by the kinds of its fields. */
export const givenAt = <Name extends VerbName>(
	method: Name,
	argument: string | undefined,
	flags: object,
): GivenBy<Name> => givenOf(VERBS[method].fields, argument, flags) as GivenBy<Name>;

/** The command of a verb; `door` says what the terminal has beside it. */
export function verbCommand<Name extends VerbName, Flags extends object = object>(
	method: Name,
	door: Door<Name, Flags> = {},
): VerbCommand<Name> {
	const { show, act, alone } = door;
	const verb: AnyVerb = VERBS[method];
	const tell: VerbCommand["tell"] = async ({ sparring, given: said }, look) => {
		// By the names of the verb's own fields.
		const given = (await withTask(verb.fields, sparring, said)) as GivenBy<Name>;
		const told = await callVerb(method, sparring, given);
		const shown = show?.(told, look) ?? { text: JSON.stringify(told, null, 2) };
		return { json: told, ...shown };
	};
	const command = commandOf<Flags>(formOf(verb, door), async (shell, flags, argument, more) => {
		const given = givenAt(method, argument, flags);
		const words = argument === undefined ? [] : [argument, ...more];
		const typed = { shell, flags, given, words };
		if (alone !== undefined) return await alone(typed);
		return await withSparring(shell, verb.access, async (sparring) => {
			const told = () => tell({ sparring, given }, lookOf(shell.out, shell.env));
			return await (act?.({ sparring, ...typed }, told) ?? told());
		});
	});
	return { ...command, method, tell };
}
