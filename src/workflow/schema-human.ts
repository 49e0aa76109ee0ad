import * as z from "zod";
import { END_VALUE_NAMES, ITEM_VALUE_NAMES } from "../kernel/item-value-names.ts";
import { line, mapping, program } from "./schema-values.ts";

const placeholder = (name: string): string => `\${${name}}`;
const listed = (names: readonly string[]): string => names.map(placeholder).join(", ");
const VARIABLE = `${placeholder("NAME")} is replaced by an environment variable.`;

const notifierWith = (names: readonly string[]) =>
	z.discriminatedUnion("type", [
		mapping({
			type: z.literal("command").meta({ title: "Type", description: "Runs a program." }),
			run: program.meta({
				title: "Run",
				description: `Program and arguments, no shell; arguments may contain ${listed(names)}.`,
			}),
		}),
		mapping({
			type: z.literal("webhook").meta({ title: "Type", description: "Posts JSON to an address." }),
			url: line.meta({
				title: "Address",
				description: `https, or http on this machine; ${VARIABLE}`,
			}),
			headers: z
				.record(z.string(), line)
				.optional()
				.meta({
					title: "Headers",
					description: `By name; ${VARIABLE}`,
				}),
		}),
	]);

const notify = mapping({
	on_created: z.array(notifierWith(ITEM_VALUE_NAMES)).default([]).meta({
		title: "On created",
		description: "Notified when a question for a person is created.",
	}),
	on_t2_gate: z.array(notifierWith(ITEM_VALUE_NAMES)).default([]).meta({
		title: "On T2 gate",
		description: "Notified when a task of tier T2 waits for a signature.",
	}),
	on_end: z.array(notifierWith(END_VALUE_NAMES)).default([]).meta({
		title: "On end",
		description: "Notified when a run ends, or waits for a person and can do nothing else.",
	}),
}).meta({ title: "Notify", description: "Who is notified." });

/** `human`. */
export const humanSchema = mapping({
	enabled: z.boolean().default(true).meta({ title: "Enabled", description: "Default: true." }),
	notify: notify.optional(),
})
	.default({ enabled: true })
	.meta({ title: "Human", description: "Whether and how a person is asked." });
