import { Fault } from "../../kernel/fault.ts";
import { shellWord } from "../../kernel/shell-word.ts";
import type { GivenValues } from "../../library/verbs/call.ts";
import type { Fields } from "../../library/verbs/verb.ts";

const TYPED: ReadonlySet<string> = new Set(["text", "texts", "count"]);

// Without the words of the command a hint would do something else: `spar run --anyway` becomes `spar run --task 'Say
// hi.' --anyway`.
export function asGiven(
	error: unknown,
	command: "run" | "resume",
	fields: Fields,
	given: GivenValues,
	file?: string,
): unknown {
	if (!(error instanceof Fault) || error.hint === undefined) return error;
	const named = Object.entries(fields).flatMap(([name, { kind, spelt = "" }]) => {
		const isTyped = TYPED.has(kind) && spelt.startsWith("--");
		// Texts and numbers, by the kind of the field.
		const values = isTyped ? ([given[name] ?? []].flat() as (string | number)[]) : [];
		const [option = ""] = spelt.split(" ");
		return values.length === 0 ? [] : [option, ...values.map((one) => shellWord(String(one)))];
	});
	const words = [...(file === undefined ? [] : [shellWord(file)]), ...named];
	if (words.length === 0) return error;
	const bare = {
		run: /\bspar run(?=$| --anyway)/gm,
		resume: /\bspar resume [\w-]+(?=$| --anyway)/gm,
	};
	const hint = error.hint.replaceAll(bare[command], (said) => [said, ...words].join(" "));
	const { code, retryable } = error;
	return new Fault(error.message, { code, retryable, hint, cause: error });
}
