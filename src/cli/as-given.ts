import { Fault } from "../kernel/fault.ts";
import { shellWord } from "../kernel/shell-word.ts";

/** Values by option; one that is left out was not given. */
type Given = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * An error whose hint repeats the command as it was given: without its words it would do something else.
 *
 * @example with `{ "--task": "Say hi." }` the hint `To go on as it is: spar run --anyway` becomes
 * `To go on as it is: spar run --task 'Say hi.' --anyway`
 */
export function asGiven(
	error: unknown,
	command: "run" | "resume",
	given: Given & { readonly file?: string | undefined },
): unknown {
	if (!(error instanceof Fault) || error.hint === undefined) return error;
	const { file, ...options } = given;
	const named = Object.entries(options).flatMap(([option, value = []]) => {
		const values = [value].flat();
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
