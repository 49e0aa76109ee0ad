import { requireFields, requireShape, SHAPES } from "../arguments.ts";
import type { Opened } from "../opened.ts";
import { VERBS, type VerbMethods } from "./table.ts";
import type { AnyVerb } from "./verb.ts";

/** What a program gave, by name. @throws Fault `usage` for a value of another type */
function givenBy(call: string, { fields, places }: AnyVerb, args: readonly unknown[]): object {
	const named = places.filter((name) => name in fields);
	const { [named.length]: options = named.length < places.length ? undefined : {} } = args;
	requireShape(call, "options", options, SHAPES.object);
	const byPlace = named.map((name, at) => [name, args[at]] as const);
	const given: object = Object.assign({}, options, Object.fromEntries(byPlace));
	requireFields(call, fields, given);
	return given;
}

/** The library's methods, each made of its verb. One that takes a signal is aborted when Sparring is closed. */
export function verbMethods(own: Opened): VerbMethods {
	const methods = Object.entries<AnyVerb>(VERBS).map(([name, verb]) => [
		name,
		async (...args: readonly unknown[]) => {
			const given = givenBy(name, verb, args);
			// As the verb's own fields have it.
			const work = async (values: object) => await verb.run(own, values as never);
			return await ("signal" in verb.fields ? own.during(given, work) : work(given));
		},
	]);
	// One method for each name of the table, each by its verb.
	return Object.fromEntries(methods) as VerbMethods;
}
