import type { Arithmetic, Value } from "./expression.ts";

/**
 * CEL's arithmetic: whole numbers of 64 bits with whole division, decimals, and joined texts.
 *
 * undefined for what has no result: an unknown side, two types, a division by zero, a whole number beyond
 * 64 bits, and a decimal that is not finite (where CEL has infinity and NaN, so that nothing holds because of one).
 * `7 / 2` is 3, and `-7 % 2` is -1.
 */
export function calculate(
	operator: Arithmetic,
	left: Value | undefined,
	right: Value | undefined,
): Value | undefined {
	if (typeof left === "bigint" && typeof right === "bigint")
		return calculateWhole(operator, left, right);
	if (typeof left === "number" && typeof right === "number")
		return calculateDecimal(operator, left, right);
	const isJoined = operator === "+" && typeof left === "string" && typeof right === "string";
	return isJoined ? left + right : undefined;
}

/** CEL has no remainder of decimals. */
type DecimalArithmetic = Exclude<Arithmetic, "%">;

const WHOLE: Readonly<Record<Arithmetic, (left: bigint, right: bigint) => bigint>> = {
	"+": (left, right) => left + right,
	"-": (left, right) => left - right,
	"*": (left, right) => left * right,
	"/": (left, right) => left / right,
	"%": (left, right) => left % right,
};

const DECIMAL: Readonly<Record<DecimalArithmetic, (left: number, right: number) => number>> = {
	"+": (left, right) => left + right,
	"-": (left, right) => left - right,
	"*": (left, right) => left * right,
	"/": (left, right) => left / right,
};

function calculateWhole(operator: Arithmetic, left: bigint, right: bigint): bigint | undefined {
	if ((operator === "/" || operator === "%") && right === 0n) return undefined;
	const result = WHOLE[operator](left, right);
	return BigInt.asIntN(64, result) === result ? result : undefined;
}

function calculateDecimal(operator: Arithmetic, left: number, right: number): number | undefined {
	if (operator === "%") return undefined;
	const result = DECIMAL[operator](left, right);
	return Number.isFinite(result) ? result : undefined;
}
