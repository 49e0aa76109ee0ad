import { assertNever } from "../../kernel/assert-never.ts";
import { quote } from "../../kernel/quote.ts";
import { nearest } from "../../kernel/suggest.ts";
import type { Comparator, Condition, Expression, Logic, Mistake, Span } from "./expression.ts";
import { isVariable, suggestVariable, type ValueType, variable } from "./variables.ts";

const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
	bool: "true or false",
	int: "a whole number",
	double: "a number with decimals",
	string: "a string",
};

interface Typed {
	readonly expression: Expression;
	readonly type: ValueType | undefined;
}

/**
 * The type of an expression; undefined when it has none, and then `problems` says why. A score is compared with `1.0`
 * and a count with `1`; a text variable only with texts that it can have, since `gate.verdict == "pass"` could never
 * hold.
 */
export function typeOf(expression: Expression, problems: Mistake[]): ValueType | undefined {
	const typed = (part: Expression): Typed => ({ expression: part, type: typeOf(part, problems) });
	switch (expression.kind) {
		case "literal":
			if (expression.type === "int" && !Number.isSafeInteger(expression.value))
				problems.push(problem("the whole number is too large", expression));
			return expression.type;
		case "variable":
			return typeOfVariable(expression.name, expression, problems);
		case "not":
			checkBool(typed(expression.operand), "!", problems);
			return "bool";
		case "in": {
			const left = typed(expression.left);
			for (const item of expression.list.map(typed)) checkPair(left, item, "in", problems);
			return "bool";
		}
		case "pair": {
			const { operator } = expression;
			const [left, right] = [typed(expression.left), typed(expression.right)];
			if (operator !== "&&" && operator !== "||") checkPair(left, right, operator, problems);
			else for (const side of [left, right]) checkBool(side, operator, problems);
			return "bool";
		}
		default:
			return assertNever(expression);
	}
}

function problem(message: string, { from, to }: Span, suggestion?: string): Mistake {
	return { message, from, to, suggestion };
}

function typeOfVariable(name: string, at: Span, problems: Mistake[]): ValueType | undefined {
	if (isVariable(name)) return variable(name).type;
	if (name === "null") {
		const way = "remove it: a variable without a value is unknown";
		problems.push(problem("no variable can be null", at, way));
	} else problems.push(problem(`unknown variable ${quote(name)}`, at, suggestVariable(name)));
	return undefined;
}

function checkBool({ expression, type }: Typed, operator: string, problems: Mistake[]): void {
	if (type === undefined || type === "bool") return;
	const message = `${operator} expects true or false; this is ${TYPE_NAMES[type]}`;
	problems.push(problem(message, expression, howToAsk(type)));
}

function howToAsk(type: ValueType): string {
	return type === "string" ? "compare it with == or `in`" : "compare it, such as with >=";
}

function checkPair(left: Typed, right: Typed, operator: string, problems: Mistake[]): void {
	if (left.type === undefined || right.type === undefined) return;
	if (left.type !== right.type) {
		const types = `${TYPE_NAMES[left.type]} and ${TYPE_NAMES[right.type]}`;
		const message = `${operator} compares two values of one type; these are ${types}`;
		problems.push(mismatch(message, left, right));
	} else if (["==", "!=", "in"].includes(operator)) {
		checkChoice(left.expression, right.expression, problems);
		checkChoice(right.expression, left.expression, problems);
	}
}

const KINDS_OF_NUMBERS =
	"compare scores with scores or constants such as 1.0, and counts with counts or constants such as 1";

function mismatch(message: string, left: Typed, right: Typed): Mistake {
	const [side, other] = right.expression.kind === "literal" ? [right, left] : [left, right];
	if (side.expression.kind === "literal") {
		const text = rewritten(side.expression.value, other.type);
		return problem(message, side.expression, text === undefined ? undefined : `write ${text}`);
	}
	const isOfNumbers = [left, right].every(({ type }) => type === "int" || type === "double");
	const place = { from: left.expression.from, to: right.expression.to };
	return problem(message, place, isOfNumbers ? KINDS_OF_NUMBERS : undefined);
}

/** A constant as another type writes it, where that is the same value: for a score, 1 is `1.0`. */
function rewritten(value: boolean | number | string, type: ValueType | undefined) {
	const text = String(value);
	if (type === "bool") return /^(true|false)$/.test(text) ? text : undefined;
	if (type === "int") return /^\d{1,9}$/.test(text) ? text : undefined;
	if (type !== "double" || !/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined;
	return text.includes(".") ? text : `${text}.0`;
}

function checkChoice(side: Expression, other: Expression, problems: Mistake[]): void {
	if (side.kind !== "variable" || !isVariable(side.name)) return;
	if (other.kind !== "literal" || other.type !== "string") return;
	const { choices = [] } = variable(side.name);
	if (choices.includes(other.value)) return;
	const near = nearest(other.value, choices);
	const listed = choices.map((each) => quote(each)).join(", ");
	const hint = near === undefined ? `it can be ${listed}` : `did you mean ${quote(near)}?`;
	problems.push(problem(`${side.name} is never ${quote(other.value)}`, other, hint));
}

/** A word of an expression. `odd` is what no expression has; `end` is empty and stands after the last one. */
interface Token extends Span {
	readonly kind: (typeof KINDS)[number] | "odd" | "end";
	readonly text: string;
}

/** Kinds in the order of the groups below. */
const KINDS = ["name", "number", "text", "sign"] as const;

/** Read from left to right in linear time; what no group takes is odd. */
const TOKEN =
	/([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]))|("[^"\\\n]*"|'[^'\\\n]*')|([=!<>]=|&&|\|\||[<>!()[\],])|["'][\s\S]*|\.?\d[\w.]*|\S/gu;

function readTokens(text: string): Token[] {
	return Array.from(text.matchAll(TOKEN), (match) => ({
		kind: KINDS.find((_kind, index) => match[index + 1] !== undefined) ?? "odd",
		text: match[0],
		from: match.index,
		to: match.index + match[0].length,
	}));
}

const MAX_DEPTH = 16;

const SPLIT = "split it into several conditions; any one that holds counts";

const EXAMPLE_LIST = 'such as verification.verdict in ["passed", "skipped"]';
const NO_ARITHMETIC = "conditions can compare but not calculate";

const OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
	["=", "write == to compare"],
	...["&", "and", "AND"].map((word) => [word, "write && for and"] as const),
	...["|", "or", "OR"].map((word) => [word, "write || for or"] as const),
	...["+", "-", "*", "/", "%", "?"].map((sign) => [sign, NO_ARITHMETIC] as const),
]);

/**
 * Reads the syntax: `||`, then `&&`, then comparisons and `in` (all from left to right), then `!`, then variables,
 * constants and brackets.
 */
export function readExpression(text: string): Expression | Mistake {
	try {
		return new Reader(text).read();
	} catch (error) {
		if (error instanceof Unreadable) return error.problem;
		throw error;
	}
}

/** Leaves the reading at the first thing that does not fit; never leaves this file. */
class Unreadable extends Error {
	readonly problem: Mistake;

	constructor(message: string, { from, to }: Span, suggestion?: string) {
		super(message);
		this.problem = { message, from, to, suggestion };
	}
}

class Reader {
	readonly #tokens: readonly Token[];
	readonly #end: Token;
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#tokens = readTokens(text);
		this.#end = { kind: "end", text: "", from: text.length, to: text.length };
	}

	read(): Expression {
		const expression = this.#either();
		if (this.#next.kind !== "end") throw this.#unexpected();
		return expression;
	}

	#either(): Expression {
		return this.#pairs(["||"], () => this.#pairs(["&&"], () => this.#relation()));
	}

	#relation(): Expression {
		return this.#pairs(["==", "!=", "<", "<=", ">", ">="], () => this.#unary());
	}

	/** Sides with operators between them; those of a comparison may stand before `in`. */
	#pairs(operators: readonly (Logic | Comparator)[], side: () => Expression): Expression {
		let left = side();
		for (;;) {
			const { kind, text } = this.#next;
			const operator = operators.find((each) => kind === "sign" && each === text);
			if (operator !== undefined) {
				this.#take();
				const right = side();
				left = { kind: "pair", operator, left, right, from: left.from, to: right.to };
			} else if (text === "in" && operators.includes("==")) left = this.#membership(left);
			else return left;
		}
	}

	#membership(left: Expression): Expression {
		this.#take();
		if (this.#next.text !== "[")
			throw new Unreadable("`in` must be followed by a list", this.#next, EXAMPLE_LIST);
		const [list, { to }] = this.#nested(() => this.#items());
		return { kind: "in", left, list, from: left.from, to };
	}

	#items(): readonly [Expression[], Token] {
		const list: Expression[] = [];
		this.#take();
		if (this.#next.text === "]") return [list, this.#take()];
		list.push(this.#either());
		while (this.#next.text === ",") {
			this.#take();
			list.push(this.#either());
		}
		return [list, this.#expect("]")];
	}

	#unary(): Expression {
		if (this.#next.text !== "!") return this.#primary();
		const { from } = this.#take();
		const operand = this.#nested(() => this.#unary());
		return { kind: "not", operand, from, to: operand.to };
	}

	#primary(): Expression {
		const { kind, text, from, to } = this.#next;
		const span = { from, to };
		if (text === "[") throw new Unreadable("a list is only allowed after `in`", span, EXAMPLE_LIST);
		if (text === "(") return this.#nested(() => this.#bracketed());
		if (kind === "name" && text !== "in") return this.#named();
		if (kind === "text") {
			this.#take();
			return { kind: "literal", type: "string", value: text.slice(1, -1), ...span };
		}
		if (kind !== "number") throw this.#unexpected();
		this.#take();
		const type = /[.e]/.test(text) ? "double" : "int";
		return { kind: "literal", type, value: Number(text), ...span };
	}

	/** The span is that of the brackets, so that a problem with the whole is placed at all of it. */
	#bracketed(): Expression {
		const { from } = this.#take();
		const inner = this.#either();
		const { to } = this.#expect(")");
		return { ...inner, from, to };
	}

	#named(): Expression {
		const { text, from, to } = this.#take();
		const span = { from, to };
		if (text === "true" || text === "false")
			return { kind: "literal", type: "bool", value: text === "true", ...span };
		if (this.#next.text !== "(") return { kind: "variable", name: text, ...span };
		throw new Unreadable(
			`conditions cannot call functions: ${quote(text)}`,
			span,
			"compare the variable itself; one without a value is unknown, and makes no condition hold",
		);
	}

	#nested<T>(read: () => T): T {
		this.#depth += 1;
		if (this.#depth > MAX_DEPTH) throw new Unreadable("nested too deeply", this.#next, SPLIT);
		const result = read();
		this.#depth -= 1;
		return result;
	}

	get #next(): Token {
		return this.#tokens[this.#at] ?? this.#end;
	}

	#take(): Token {
		const token = this.#next;
		this.#at += 1;
		return token;
	}

	#expect(sign: string): Token {
		if (this.#next.text !== sign) throw this.#unexpected();
		return this.#take();
	}

	#unexpected(): Unreadable {
		const token = this.#next;
		const { kind, text } = token;
		if (kind === "end") return new Unreadable("the expression is incomplete", token);
		if (/^["']/.test(text) && kind === "odd")
			return new Unreadable(
				"a string without its closing quote, or with a backslash",
				token,
				'write it plainly, such as "PASS"',
			);
		const isAfterNot = this.#tokens[this.#at - 1]?.text.toLowerCase() === "not";
		const fraction = /^\.(\d+)$/.exec(text)?.[1];
		const other = fraction === undefined ? OTHER_LANGUAGES.get(text) : `write 0.${fraction}`;
		const suggestion = isAfterNot ? "write ! for not" : other;
		return new Unreadable(`unexpected ${quote(text)}`, token, suggestion);
	}
}

/** Longer texts are refused unread; in UTF-16 units. The longest that people write is a tenth of it. */
const MAX_LENGTH = 2000;

export type ParsedCondition =
	| { readonly ok: true; readonly condition: Condition }
	| { readonly ok: false; readonly problems: readonly Mistake[] };

/**
 * Reads and checks one condition: comparisons, `in` a list, `&&`, `||`, `!` and brackets, true or false as a whole.
 * Never throws. `parseCondition("confidence_score == 1")` has a problem from 20 to 21 (UTF-16), with "write 1.0".
 */
export function parseCondition(text: string): ParsedCondition {
	if (text.length > MAX_LENGTH) {
		const message = `longer than ${MAX_LENGTH} characters`;
		return { ok: false, problems: [{ message, from: 0, to: text.length, suggestion: SPLIT }] };
	}
	const expression = readExpression(text);
	const problems = "message" in expression ? [expression] : problemsOf(expression);
	if ("message" in expression || problems.length > 0) return { ok: false, problems };
	return { ok: true, condition: { text, expression } };
}

function problemsOf(expression: Expression): Mistake[] {
	const problems: Mistake[] = [];
	const type = typeOf(expression, problems);
	if (type !== undefined && type !== "bool") {
		const { from, to } = expression;
		const message = `a condition must be true or false; this is ${TYPE_NAMES[type]}`;
		problems.push({ message, from, to, suggestion: howToAsk(type) });
	}
	return problems.sort((a, b) => a.from - b.from);
}
