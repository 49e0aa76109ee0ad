import { Fault } from "../../kernel/fault.ts";
import { shellWord } from "../../kernel/shell-word.ts";

type Given = Readonly<Record<string, string | number | readonly string[] | undefined>>;

// Without the words of the command a hint would do something else: `spar run --anyway` becomes `spar run --task 'Say
// hi.' --anyway`.
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
