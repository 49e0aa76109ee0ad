import { quote } from "../diagnostic.ts";
import type { Comparison, Expression, Logic, Problem, Span } from "./expression.ts";

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

/** The words of a text in order; white space between them is left out. Never throws. */
function readTokens(text: string): Token[] {
	return Array.from(text.matchAll(TOKEN), (match) => ({
		kind: KINDS.find((_kind, index) => match[index + 1] !== undefined) ?? "odd",
		text: match[0],
		from: match.index,
		to: match.index + match[0].length,
	}));
}

/** Brackets, lists and `!` inside each other; people write a fifth of it. It bounds the recursion. */
const MAX_DEPTH = 16;

/** Several conditions of one list count as if joined by `||`. */
export const SPLIT = "split it into several conditions; any one that holds counts";

const EXAMPLE_LIST = 'such as verification.verdict in ["passed", "skipped"]';
const NO_ARITHMETIC = "conditions can compare but not calculate";

/** What people write from other languages, and what conditions have for it. */
const OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
	["=", "write == to compare"],
	...["&", "and", "AND"].map((word) => [word, "write && for and"] as const),
	...["|", "or", "OR"].map((word) => [word, "write || for or"] as const),
	...["+", "-", "*", "/", "%", "?"].map((sign) => [sign, NO_ARITHMETIC] as const),
]);

/**
 * Reads the syntax of a condition: `||`, then `&&`, then comparisons and `in` (all from left to right), then `!`, then
 * variables, constants and brackets. Which names and types fit is not looked at.
 *
 * @returns the first problem of syntax where there is one. Never throws
 */
export function readExpression(text: string): Expression | Problem {
	try {
		return new Reader(text).read();
	} catch (error) {
		if (error instanceof Unreadable) return error.problem;
		throw error;
	}
}

/** Leaves the reading at the first thing that does not fit; never leaves this file. */
class Unreadable extends Error {
	readonly problem: Problem;

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
	#pairs(operators: readonly (Logic | Comparison)[], side: () => Expression): Expression {
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

	/** The word that is read next. */
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
