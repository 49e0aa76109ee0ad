import * as z from "zod";
import { workflowSchema } from "./schema.ts";

/**
 * The JSON Schema (draft 07) of the workflow file, for editors; `schema/workflow.schema.json` is its text.
 * It says less than the loader: rules across keys and the form of durations are checked there only.
 */
export function workflowJsonSchema(): Readonly<Record<string, unknown>> {
	return {
		...z.toJSONSchema(workflowSchema, {
			io: "input",
			target: "draft-07",
			override({ jsonSchema: { properties = {} } }) {
				for (const [key, property] of Object.entries(properties)) {
					if (typeof property !== "object") continue;
					property.title ??= titleOf(key);
					const { additionalProperties: long } = property;
					const description = SHORT_FORMS.get(key);
					if (description === undefined || typeof long !== "object") continue;
					property.additionalProperties = { anyOf: [{ type: "string", description }, long] };
				}
			},
		}),
	};
}

const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
	["checks", "Command of an acceptance check."],
	["tasks", "What to do."],
]);

/** Title of a key that names none of its own: of `setup_inputs` `"Setup inputs"`. */
function titleOf(key: string): string {
	return key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");
}
