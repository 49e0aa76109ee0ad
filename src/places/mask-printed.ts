import { attempt } from "../kernel/attempt.ts";
import type { Masker } from "../masking/masking.ts";
import { maskAllButNames } from "../store/mask-texts.ts";

function documentIn(text: string): object | undefined {
	if (!/^[{[]/.test(text)) return undefined;
	const value = attempt((): unknown => JSON.parse(text), undefined);
	return typeof value === "object" && value !== null ? value : undefined;
}

/**
 * A text on its way to a terminal or a pipe, without secrets. JSON keeps its keys and its names, such as those of
 * branches: programs read it, and a secret may read like a task's id.
 *
 * @param text what is printed at once: a whole document, line or block of lines
 */
export function maskPrinted(masker: Masker, text: string): string {
	const masked = masker.mask(text);
	if (masked === text) return text;
	const document = documentIn(text);
	if (document === undefined) return masked;
	const indent = text.includes("\n  ") ? 2 : 0;
	return `${JSON.stringify(maskAllButNames(masker, document), null, indent)}\n`;
}
