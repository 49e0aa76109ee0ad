import { NUMBER, OBJECT, optional, requireShape, type Shape, TEXT, TRUTH } from "../arguments.ts";
import type { Opened } from "../opened.ts";
import { VERBS, type VerbEntry, type VerbMethods } from "./table.ts";
import type { AnyVerb, Field } from "./verb.ts";

const SHAPES: Readonly<Record<Field["kind"], Shape>> = { text: TEXT, count: NUMBER, flag: TRUTH };

/** What a program gave, by name. @throws Fault `usage` for a value of another type */
function givenBy(call: string, { fields, places }: AnyVerb, args: readonly unknown[]): object {
	const { [places.length]: options = {} } = args;
	requireShape(call, "options", options, OBJECT);
	const byPlace = places.map((name, at) => [name, args[at]] as const);
	const given = { ...Object(options), ...Object.fromEntries(byPlace) };
	for (const [name, { kind, isNeeded }] of Object.entries(fields)) {
		const shape = isNeeded === true ? SHAPES[kind] : optional(SHAPES[kind]);
		requireShape(call, name, Reflect.get(given, name), shape);
	}
	return given;
}

export function verbMethods(own: Opened): VerbMethods {
	const methods = Object.entries<VerbEntry>(VERBS).map(([name, { load }]) => [
		name,
		async (...args: readonly unknown[]) => {
			const verb = await load();
			// As the verb's own fields have it.
			return await verb.run(own, givenBy(name, verb, args) as never);
		},
	]);
	// One method for each name of the table, each by its verb.
	return Object.fromEntries(methods) as VerbMethods;
}
