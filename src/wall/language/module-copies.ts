import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn } from "../../syntax/node-fields.ts";
import { assertionNames } from "./bound-names.ts";
import type { Copies, CopyRequest, TestCopy, Wrong } from "./language.ts";
import { chainOf, endsChain, isFunction } from "./module-chain.ts";
import { testName, testNamesIn } from "./module-tests.ts";
import type { Splice } from "./splice.ts";
import { ASSERTING } from "./test-names.ts";

const IMPORTED = /["'](?:node:test|vitest|@jest\/globals|mocha)["']/;
const PROGRAMS = ["vitest", "jest", "mocha"];

/** Tests of a JavaScript or TypeScript file that stand alone or below `describe`, not in loops or under conditions. */
export function scriptCopies(tree: SyntaxNode, text: string, request: CopyRequest): Copies {
	return {
		copies: copiesIn(tree, text, request),
		helpers: helpersFor(text, request),
		nameOf: (at) => `canary ${request.token} ${at}`,
		apart: (copy, name) => `\n;${copy(JSON.stringify(name))};\n`,
	};
}

function copiesIn(tree: SyntaxNode, text: string, { token, words }: CopyRequest): TestCopy[] {
	if (!(IMPORTED.test(text) || PROGRAMS.some((program) => words.has(program)))) return [];
	const placed = [...nodesOf(tree)];
	const names = testNamesIn(placed);
	const library = new Set(assertionNames(text));
	return placed.flatMap((at) => {
		const args = at.node.type === "CallExpression" ? nodesIn(at.node, "arguments") : [];
		const [title, body] = args;
		if (title === undefined || body === undefined || args.length > 2 || !isFunction(body))
			return [];
		const { links } = chainOf(at.node);
		const place = placeFor(at);
		if (links.length > 1 || testName(links, names) === null || place === null) return [];
		const wrongs = [...nodesOf(body)]
			.filter(endsChain)
			.flatMap(({ node }) => wrongsOf(node, library, { text, token }));
		const block = nodeIn(body, "body");
		const end = body.end - 1;
		const thrown =
			block?.type === "BlockStatement"
				? { start: end, end, text: `; throw new Error("${token}");` }
				: null;
		return [{ start: at.node.start, end: at.node.end, at: place, title, wrongs, thrown }];
	});
}

const PLAIN =
	/^(?:File|Program|BlockStatement|ExpressionStatement|AwaitExpression|ArrowFunctionExpression|FunctionExpression)$/;

/** The end of the block in which a test stands; null where it may be declared never, or more than once. */
function placeFor({ above }: PlacedNode): number | null {
	let place: number | null = null;
	for (let at = above; at !== null; at = at.above) {
		const { node } = at;
		const isCall = node.type === "CallExpression";
		if (!(isCall ? isGroup(node) : PLAIN.test(node.type))) return null;
		if (node.type === "BlockStatement") place ??= node.end - 1;
		if (node.type === "Program") place ??= node.end;
	}
	return place;
}

function isGroup(call: SyntaxNode): boolean {
	const [{ name }, ...rest] = chainOf(call).links;
	return rest.length === 0 && /^(?:describe|suite|context)$/.test(name);
}

function wrongsOf(
	node: SyntaxNode,
	library: ReadonlySet<string>,
	{ text, token }: Pick<Compared, "text" | "token">,
): Wrong[] {
	const { links } = chainOf(node);
	const [first, ...rest] = links;
	const last = links.at(-1) ?? first;
	const given = /^expect/.test(first.name) && rest.length > 0 ? first.args : null;
	const isAssert =
		library.has(first.name) || (first.name !== "expect" && ASSERTING.test(first.name));
	if (!(given !== null || isAssert) || links.some(({ name }) => NO_WRONG.test(name))) return [];
	const [subject, expected] = given === null ? (last.args ?? []) : [given[0], last.args?.[0]];
	if (subject === undefined || [subject, expected].some((each) => each?.type === "SpreadElement"))
		return [];
	const made = splicesFor(
		links.map(({ name }) => name),
		{ subject, expected, text, token },
	);
	const looked = chainOf(subject).links.map(({ name }) => name);
	return made.map((splice, at) => ({ kind: `${last.name} ${looked.join(".")} ${at}`, splice }));
}

/** Assertions that have no wrong value, or whose opposite may hold as well. */
const NO_WRONG = /^not$|snapshot|doesNot|^(?:fail|AssertionError|unreachable)$/i;
const TRUTH = /^(?:assert|ok|isOk|isTrue|isFalse)$/;

interface Compared {
	readonly subject: SyntaxNode;
	readonly expected: SyntaxNode | undefined;
	readonly text: string;
	readonly token: string;
}

function splicesFor(
	names: readonly string[],
	{ subject, expected, text, token }: Compared,
): Splice[] {
	const name = names.at(-1) ?? "";
	const put = ({ start, end }: SyntaxNode, by: string): Splice => ({ start, end, text: by });
	const isPromise = names.some((one) => /reject/.test(one));
	if (isPromise || /throw/i.test(name)) {
		const stray = `{ canary: "${token}" }`;
		const [calm, wild] = isPromise
			? ["Promise.resolve()", `Promise.reject(${stray})`]
			: ["() => {}", `() => { throw ${stray}; }`];
		return [put(subject, calm), ...(expected === undefined ? [] : [put(subject, wild)])];
	}
	if (/toBeDefined|exist/i.test(name)) return [put(subject, "undefined")];
	if (/less|most|below/i.test(name)) return [put(subject, "Infinity")];
	if (expected === undefined || TRUTH.test(name))
		return [put(subject, /true|truthy|ok$|assert/i.test(name) ? "false" : `"${token}"`)];
	if (/greater|least|above/i.test(name)) return [put(expected, "Infinity")];
	return [put(expected, `wrong_${token}(${text.slice(expected.start, expected.end)})`)];
}

/** Expression that makes a value one that no call gives, of the same type where there is such a value. */
function helpersFor(text: string, { token, path }: CopyRequest): Splice {
	const any = /\.[cm]?tsx?$/.test(path) ? ": any" : "";
	const made = `
function wrong_${token}(value${any})${any} {
	if (typeof value === "number" && Number.isFinite(value)) return value + Math.abs(value) + 1.25;
	if (typeof value === "bigint") return value * value + 7919n;
	if (typeof value === "string") return value + "${token}";
	if (typeof value === "function") return class {};
	if (Array.isArray(value)) return [...value, "${token}"];
	return value instanceof RegExp || Object(value) !== value ? "${token}" : { ...value, canary: "${token}" };
}
`;
	return { start: text.length, end: text.length, text: made };
}
