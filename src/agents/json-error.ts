import { printParseErrorCode, visit } from "jsonc-parser";

/** Of what stands at the place, in characters. */
const SHOWN = 12;

/** `PropertyNameExpected` is `property name expected`. */
const words = (code: string): string => code.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();

/**
 * Why and where a text is no JSON, in words that its author can act on: engines name no position for many errors.
 *
 * @returns null when the text is JSON
 * @example `describeJsonError('{"a": yes}')` is `invalid symbol at line 1, column 7: "yes}"`
 */
export function describeJsonError(text: string): string | null {
	let first: string | null = null;
	const note = (problem: string, offset: number, line: number, character: number): void => {
		const found = text.slice(offset, offset + SHOWN);
		const what = found === "" ? ", at the end of the text" : `: ${JSON.stringify(found)}`;
		first ??= `${problem} at line ${line + 1}, column ${character + 1}${what}`;
	};
	try {
		visit(
			text,
			{
				onError: (code, offset, _length, line, character) =>
					note(words(printParseErrorCode(code)), offset, line, character),
			},
			{ disallowComments: true },
		);
	} catch (error) {
		// The library recurses; the engine does not, so that only here it can be too deep.
		if (!(error instanceof RangeError)) throw error;
		first ??= "nested too deeply";
	}
	return first;
}
