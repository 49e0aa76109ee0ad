import type { AgentOutcome } from "../agents/agent.ts";
import { type Masker, maskDeep } from "../kernel/masking.ts";
import { maskCaptured } from "../process/capture.ts";

/**
 * JSON spelled as plainly as it can be: `"\u0061\/"` becomes `"a/"`, so that no spelling hides a secret. It means the
 * same. Quotes, backslashes and what cannot be printed stay escaped.
 */
function plainEscapes(text: string): string {
	return text.replaceAll(/\\(?:u00([2-7][0-9a-f])|[\s\S])/gi, (found, hex: string | undefined) => {
		if (hex === undefined) return found === "\\/" ? "/" : found;
		const char = String.fromCharCode(Number.parseInt(hex, 16));
		return /["\\\u007f]/.test(char) ? found : char;
	});
}

function parsed(text: string): { readonly value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

/** Keys, lists and numbers, whatever the texts are. */
const shapeOf = (value: unknown): string =>
	JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? "" : inner));

/**
 * A report without secrets, with the same fields. Masked as one text, since a field's name can tell that its value is
 * a secret; where that would tear the JSON apart (a number can read like a secret), text by text.
 */
function maskedReport(masker: Masker, report: string): string {
	const plain = plainEscapes(report);
	const masked = masker.mask(plain);
	if (masked === plain) return report;
	const before = parsed(plain);
	if (before === undefined) return masked;
	const after = parsed(masked);
	const isWhole = after !== undefined && shapeOf(after.value) === shapeOf(before.value);
	return isWhole ? masked : JSON.stringify(maskDeep(masker, before.value));
}

/** What came of a call, without secrets in anything that it says: nothing later needs the rest. */
export function maskedOutcome(masker: Masker, outcome: AgentOutcome): AgentOutcome {
	const output = maskCaptured(outcome.output, masker);
	if (outcome.kind === "failed") {
		return { ...outcome, output, message: masker.mask(outcome.message) };
	}
	const { report, reportProblem } = outcome;
	return {
		...outcome,
		output,
		report: report === null ? null : maskedReport(masker, report),
		...(reportProblem === undefined ? {} : { reportProblem: masker.mask(reportProblem) }),
	};
}
