import type { ASTNode } from "@marcbachmann/cel-js";
import { Environment, ParseError } from "@marcbachmann/cel-js";
import { quote } from "../diagnostic.ts";
import type { Expression, Problem, Span } from "./expression.ts";
import type { PairOperator } from "./pair-of.ts";
import { PAIR_OPERATORS, pairOf } from "./pair-of.ts";
import { syntaxProblem } from "./syntax-problem.ts";
import { typeOf } from "./type-of.ts";
import { isVariable, suggestVariable } from "./variables.ts";

/** People write a tenth of this. Besides keeping errors readable it bounds every later walk of the tree. */
const LIMITS = { maxAstNodes: 200, maxDepth: 16, maxListElements: 64, maxCallArguments: 8 };

/** Largest whole number of CEL; literals have no sign. */
const MAX_INT = 2n ** 63n - 1n;

const environment = new Environment({ limits: LIMITS });

/**
 * Reads the syntax of CEL (the Common Expression Language) with the library, and turns the parts of it that
 * conditions use into our own tree: constants, the known variables, logic, comparisons, arithmetic, `? :`,
 * and `in` a written list. Nothing of the library is kept, and its evaluator is never called.
 *
 * One difference from CEL: its reserved words are names like others here, since `loop` is one of them.
 * Never throws. A problem of syntax comes alone, others all at once.
 */
export function readCel(text: string): Expression | Problem[] {
	const ast = parse(text);
	if ("message" in ast) return [ast];
	const problems: Problem[] = [];
	return convert(ast, { text, problems }) ?? problems;
}

function parse(text: string): ASTNode | Problem {
	let readable = text;
	for (;;) {
		try {
			return environment.parse(readable).ast;
		} catch (error) {
			// Anything else than a refusal is an exhausted stack, from a text without a bound.
			const refusal = error instanceof ParseError ? error : undefined;
			const { code = "limit_exceeded", summary = "" } = refusal ?? {};
			const { start: from, end: to } = refusal?.range ?? { start: 0, end: text.length };
			if (code !== "reserved_identifier") return syntaxProblem(text, { code, summary, from, to });
			// A word of the same length, so that places stay; the limit of parts bounds the repetition.
			readable = readable.slice(0, from) + "_".repeat(to - from) + readable.slice(to);
		}
	}
}

/** What is being read, and what was found wrong with it. */
interface Reading {
	readonly text: string;
	readonly problems: Problem[];
}

/** The node as ours; undefined when a problem was found in it. */
function convert(node: ASTNode, reading: Reading): Expression | undefined {
	const span = { from: node.start, to: node.end };
	const refuse = (message: string, suggestion?: string): undefined => {
		reading.problems.push({ message, ...span, suggestion });
	};
	if (isPair(node)) return convertPair(node, span, reading);
	if (node.op === "value") return convertValue(node.args, span, refuse);
	if (node.op === "id" || node.op === "." || node.op === "[]")
		return convertName(pathOf(node, reading.text), span, refuse);
	if (node.op === "!_" || node.op === "-_") {
		const operand = convert(node.args, reading);
		const kind = node.op === "!_" ? "not" : "negate";
		return operand && { kind, operand, ...span };
	}
	if (node.op === "?:") return convertChoice(node.args, span, reading);
	if (node.op === "in") return convertMembership(node.args, span, reading);
	if (node.op === "call" || node.op === "rcall")
		return refuse(`function calls are not part of conditions: ${quote(node.args[0])}`, NO_CALLS);
	if (node.op === "list") return refuse("a list can only stand after `in`", EXAMPLE_LIST);
	// Maps, and whatever the library may learn to read.
	return refuse("this is not part of conditions");
}

const NO_CALLS =
	"compare the variable itself; one without a value is unknown, and nothing holds because of it";
const EXAMPLE_LIST = 'such as verification.verdict in ["passed", "skipped"]';

type Refuse = (message: string, suggestion?: string) => undefined;

/** Where one part could not be read, the types of the others are checked here, so that all problems come at once. */
function checkRest(parts: readonly (Expression | undefined)[], { problems }: Reading): undefined {
	for (const part of parts) if (part !== undefined) typeOf(part, problems);
}

type PairNode = Extract<ASTNode, { op: PairOperator }>;

function isPair(node: ASTNode): node is PairNode {
	return PAIR_OPERATORS.has(node.op);
}

function convertPair(node: PairNode, span: Span, reading: Reading): Expression | undefined {
	const [left, right] = node.args.map((each) => convert(each, reading));
	return left && right ? pairOf(node.op, left, right, span) : checkRest([left, right], reading);
}

function convertChoice(
	parts: readonly [ASTNode, ASTNode, ASTNode],
	span: Span,
	reading: Reading,
): Expression | undefined {
	const [condition, whenTrue, whenFalse] = parts.map((each) => convert(each, reading));
	if (!(condition && whenTrue && whenFalse))
		return checkRest([condition, whenTrue, whenFalse], reading);
	return { kind: "choice", condition, whenTrue, whenFalse, ...span };
}

function convertValue(
	value: Extract<ASTNode, { op: "value" }>["args"],
	span: Span,
	refuse: Refuse,
): Expression | undefined {
	const kind = "literal";
	if (value === null)
		return refuse(
			"no variable is ever null",
			"leave it out: a variable without a value is unknown",
		);
	if (typeof value === "boolean") return { kind, type: "bool", value, ...span };
	if (typeof value === "number") return { kind, type: "double", value, ...span };
	if (typeof value === "string") return { kind, type: "string", value, ...span };
	if (typeof value !== "bigint")
		return refuse("bytes and unsigned numbers are not part of conditions");
	if (value > MAX_INT) return refuse("a whole number beyond 64 bits");
	return { kind, type: "int", value: String(value), ...span };
}

function convertName(
	path: readonly string[] | undefined,
	span: Span,
	refuse: Refuse,
): Expression | undefined {
	if (path === undefined) return refuse("only a variable has fields");
	const name = path.join(".");
	if (isVariable(name)) return { kind: "variable", name, ...span };
	return refuse(`unknown variable ${quote(name)}`, suggestVariable(name));
}

/** `pair.iteration` and `pair["iteration"]` as names; undefined for fields of anything else. */
function pathOf(node: ASTNode, text: string): string[] | undefined {
	// The name as written: a reserved word was read as another one.
	if (node.op === "id") return [text.slice(node.start, node.end)];
	if (node.op === ".") return pathOf(node.args[0], text)?.concat(node.args[1]);
	if (node.op !== "[]") return undefined;
	const [owner, index] = node.args;
	const isName = index.op === "value" && typeof index.args === "string";
	return isName ? pathOf(owner, text)?.concat(String(index.args)) : undefined;
}

function convertMembership(
	[item, container]: readonly [ASTNode, ASTNode],
	span: Span,
	reading: Reading,
): Expression | undefined {
	const left = convert(item, reading);
	if (container.op !== "list") {
		const at = { from: container.start, to: container.end };
		reading.problems.push({
			message: "after `in` a list must stand",
			...at,
			suggestion: EXAMPLE_LIST,
		});
		return checkRest([left], reading);
	}
	const list = container.args.map((each) => convert(each, reading));
	const known = list.filter((each) => each !== undefined);
	if (left === undefined || known.length < list.length) return checkRest([left, ...known], reading);
	return { kind: "in", left, list: known, ...span };
}
