import { snakeCase } from "../../kernel/snake-case.ts";
import type { Sparring } from "../../library/sparring.ts";
import {
	callVerb,
	type GivenValues,
	type ToldBy,
	wireName,
	withTask,
} from "../../library/verbs/call.ts";
import type { VerbName } from "../../library/verbs/table.ts";
import type { AnyVerb, Field } from "../../library/verbs/verb.ts";
import {
	type CliCommand,
	type CommandForm,
	commandOf,
	type JsonFlag,
	type Told,
} from "./command.ts";
import { type Look, lookOf } from "./look.ts";
import { wholeNumber } from "./option-values.ts";
import { type Shell, withSparring } from "./shell.ts";

/** Call of a verb at a door. */
export interface VerbCall {
	readonly sparring: Sparring;
	/** By the names of the fields. */
	readonly given: GivenValues;
}

/** A command that a verb makes, and with it the tool of agents. */
export interface VerbCommand extends CliCommand {
	readonly verb: AnyVerb;
	readonly tell: (call: VerbCall, look: Look) => Promise<Told>;
}

/** What is special to the terminal. */
interface Door<Name extends VerbName> extends Pick<CommandForm, "page" | "options"> {
	/** In words; JSON where it is left out. */
	readonly show?: (told: ToldBy<Name>, look: Look, given: GivenValues) => Omit<Told, "json">;
	/** Instead of telling it. */
	readonly act?: (
		call: VerbCall & { readonly shell: Shell; readonly flags: GivenValues & JsonFlag },
		tell: () => Promise<Told>,
	) => Promise<number | Told>;
}

const isArgument = ({ spelt }: Field): boolean => spelt?.startsWith("[") === true;

function formOf({
	fields,
	examples,
}: AnyVerb): Pick<CommandForm, "examples" | "argument" | "options"> {
	const all = Object.values(fields);
	const argument = all.find(isArgument);
	const options = all.flatMap(({ spelt, about, kind }) => {
		if (spelt === null || spelt.startsWith("[")) return [];
		return [[spelt, kind === "count" ? ([about, wholeNumber] as const) : about] as const];
	});
	return {
		examples,
		options: Object.fromEntries(options),
		...(argument === undefined
			? {}
			: { argument: [argument.spelt ?? "", argument.about] as const }),
	};
}

function givenAt(
	{ fields }: AnyVerb,
	argument: string | undefined,
	flags: GivenValues,
): GivenValues {
	const bySnake = new Map(Object.entries(flags).map(([name, value]) => [snakeCase(name), value]));
	return Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [
			name,
			isArgument(field) ? argument : bySnake.get(wireName(field.spelt ?? "")),
		]),
	);
}

/** The command of a verb; `door` says what the terminal has beside it. */
export function verbCommand<Name extends VerbName>(
	method: Name,
	verb: AnyVerb,
	{ show, act, page, options }: Door<Name> = {},
): VerbCommand {
	const tell = async (call: VerbCall, look: Look): Promise<Told> => {
		const given = await withTask(verb, call.sparring, call.given);
		const told = await callVerb(method, verb, call.sparring, given);
		const shown = show?.(told, look, given) ?? { text: JSON.stringify(told, null, 2) };
		return { json: told, ...shown };
	};
	const form = formOf(verb);
	const command = commandOf<Record<string, unknown>>(
		{ ...form, ...(page === undefined ? {} : { page }), options: { ...form.options, ...options } },
		async (shell, flags, argument) =>
			await withSparring(shell, verb.access, async (sparring) => {
				const call = { sparring, given: givenAt(verb, argument, flags) };
				const told = () => tell(call, lookOf(shell.out, shell.env));
				return await (act?.({ ...call, shell, flags }, told) ?? told());
			}),
	);
	return { ...command, verb, tell };
}
