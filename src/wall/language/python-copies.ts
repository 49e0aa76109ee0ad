import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import type { Copies, CopyRequest, TestCopy, Wrong } from "./language.ts";
import { pythonName } from "./python-nodes.ts";
import type { Splice } from "./splice.ts";

const DEFINES = /^(?:Async)?FunctionDef$/;
const NOT_RUN = /skip|xfail|expectedFailure/i;

/** Tests of a Python file: functions, and methods of its classes. */
export function pythonCopies(tree: SyntaxNode, text: string, { token }: CopyRequest): Copies {
	const body = nodesIn(tree, "body");
	const classes = body.filter(({ type }) => type === "ClassDef");
	const copies = [
		...copiesIn(body, lastDefined(tree), { text, token }),
		...classes.flatMap((each) => {
			const own = nodesIn(each, "body");
			return copiesIn(own, own.at(-1)?.end ?? each.end, { text, token });
		}),
	];
	return {
		copies,
		helpers: helpersFor(tree, text, token),
		nameOf: (at) => `test_z_canary_${token}_${at}`,
		apart: (copy, name) => `\n\n${copy(name)}\n`,
	};
}

interface Source {
	readonly text: string;
	readonly token: string;
}

function copiesIn(body: readonly SyntaxNode[], end: number, source: Source): TestCopy[] {
	const { text, token } = source;
	return body.flatMap((test) => {
		const decorators = nodesIn(test, "decorator_list");
		const name = textIn(test, "name");
		const isRun = !decorators.some((each) => NOT_RUN.test(text.slice(each.start, each.end)));
		if (!(DEFINES.test(test.type) && /^test/.test(name) && isRun)) return [];
		const start = text.lastIndexOf("\n", decorators[0]?.start ?? test.start) + 1;
		const at = text.indexOf(name, text.indexOf("def", test.start) + 3);
		const last = nodesIn(test, "body").at(-1) ?? test;
		const placed = [...nodesOf(test)];
		return [
			{
				start,
				end: test.end,
				at: lineEnd(text, end),
				title: { start: at, end: at + name.length },
				wrongs: placed.flatMap((each) => wrongsOf(each, source)),
				thrown: { start: last.start, end: last.start, text: `raise Stray_${token}(); ` },
			},
		];
	});
}

const lastDefined = (tree: SyntaxNode): number =>
	nodesIn(tree, "body").findLast(({ type }) => type === "ClassDef" || DEFINES.test(type))?.end ?? 0;

function lineEnd(text: string, offset: number): number {
	const end = text.indexOf("\n", offset);
	return end < 0 ? text.length : end;
}

function wrongsOf({ node, above }: PlacedNode, source: Source): Wrong[] {
	// Each subtest would count as a failure of its own.
	for (let at = above; at !== null; at = at.above)
		if (nodesIn(at.node, "items").some((item) => /\.subTest\(/.test(shown(item, source))))
			return [];
	if (node.type === "Assert") return ofCondition(nodeIn(node, "test"), source);
	if (node.type !== "Call") return [];
	const name = pythonName(node);
	const args = nodesIn(node, "args");
	if (/^(?:raises|assertRaises\w*)$/.test(name)) return ofException(node, above, source);
	return /^assert[A-Z_]/.test(name) ? ofCall(name, args, source) : [];
}

const shown = ({ start, end }: SyntaxNode, { text }: Source): string => text.slice(start, end);
const put = ({ start, end }: SyntaxNode, text: string): Splice => ({ start, end, text });
const wrongOf = (node: SyntaxNode, source: Source): Splice =>
	put(node, `wrong_${source.token}(${shown(node, source)})`);

/** Names of what an expression calls. */
const lookedAt = (node: SyntaxNode): string =>
	[...nodesOf(node)]
		.map((each) => (each.node.type === "Call" ? pythonName(each.node) : ""))
		.join(" ");

function ofCondition(test: SyntaxNode | null, source: Source): Wrong[] {
	if (test === null) return [];
	const operators = String(test["ops"]);
	const kind = `assert ${operators} ${lookedAt(test)}`;
	const expected = operators === "In" ? nodeIn(test, "left") : nodesIn(test, "comparators")[0];
	const isTold = expected != null && /^(?:In|Eq)$/.test(operators);
	return [{ kind, splice: isTold ? wrongOf(expected, source) : put(test, "False") }];
}

function ofCall(name: string, args: readonly SyntaxNode[], source: Source): Wrong[] {
	const [subject, expected = subject] = args;
	if (subject === undefined || expected === undefined || NO_WRONG.test(name)) return [];
	if (args.some(({ type }) => type === "Starred")) return [];
	return [
		{ kind: `${name} ${lookedAt(subject)}`, splice: inCall(name, { subject, expected }, source) },
	];
}

const NO_WRONG = /Not|IsInstance/;
const INFINITE = 'float("inf")';

function inCall(
	name: string,
	{ subject, expected }: Readonly<Record<"subject" | "expected", SyntaxNode>>,
	source: Source,
): Splice {
	if (/^assert(?:True|False)$/.test(name))
		return put(subject, name === "assertTrue" ? "False" : "True");
	if (/Less/.test(name)) return put(subject, INFINITE);
	if (/Greater/.test(name)) return put(expected, INFINITE);
	return wrongOf(/In$/.test(name) ? subject : expected, source);
}

/** One that nothing is raised in, and one that raises what nobody expects. */
function ofException(call: SyntaxNode, above: PlacedNode | null, source: Source): Wrong[] {
	const body = above?.node.type === "withitem" ? nodesIn(above.above?.node ?? call, "body") : [];
	const [expected, ...rest] = nodesIn(call, "args");
	const [first, last] = body.length > 0 ? [body[0], body.at(-1)] : [rest[0], rest[0]];
	if (expected === undefined || first === undefined || last === undefined) return [];
	const calm = body.length > 0 ? "pass" : "(lambda *_: None)";
	const isAny = /^(?:Base)?Exception$/.test(shown(expected, source));
	const kind = `${pythonName(call)} ${shown(expected, source)}`;
	const within = { start: first.start, end: last.end };
	const strays = isAny || body.length === 0 ? [] : [`raise Stray_${source.token}()`];
	return [calm, ...strays].map((text, at) => ({
		kind: `${kind} ${at}`,
		splice: { ...within, text },
	}));
}

/** What makes a value one that no call gives, and an exception that nobody expects. */
function helpersFor(tree: SyntaxNode, text: string, token: string): Splice {
	const at = lineEnd(text, lastDefined(tree));
	const made = `


class Stray_${token}(Exception):
    pass


def wrong_${token}(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value + abs(value) + 1.25
    if isinstance(value, (list, tuple)):
        return type(value)([*value, "${token}"]) if type(value) in (list, tuple) else "${token}"
    return {**value, "${token}": 1} if isinstance(value, dict) else str(value) + "${token}"

`;
	return { start: at, end: at, text: made };
}
