import type { Expression } from "./expression.ts";
import type { ValueType } from "./variables.ts";

/** A number as people write one, without an exponent. */
const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

/**
 * How a constant is written in another type, where that can be done without a loss; else undefined.
 * The whole number 1 as a `double` is `1.0`, the text "true" as a `bool` is `true`.
 */
export function plainValue(constant: Expression, type: ValueType): string | undefined {
	if (constant.kind !== "literal") return undefined;
	const text = String(constant.value);
	if (type === "bool") return text === "true" || text === "false" ? text : undefined;
	if (type === "string" || constant.type === "bool" || !NUMBER.test(text)) return undefined;
	const isWhole = !text.includes(".");
	if (type === "int") return isWhole ? text : undefined;
	return isWhole ? `${text}.0` : text;
}
