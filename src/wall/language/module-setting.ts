import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { type Chain, chainOf, endsChain, isFunction, wholeChain } from "./module-chain.ts";
import { type TestNames, testName } from "./module-tests.ts";
import { truthOf } from "./module-values.ts";
import { ASSERTING, type Flaw, type Setting } from "./test-shape.ts";

export interface ModuleNames {
	readonly mentions: ReadonlyMap<string, number>;
	readonly lists: ReadonlyMap<string, number>;
	readonly tests: TestNames;
}

/** Place of a node: its test or helper, how often it runs, and whether it runs at all, and is heard. */
export function settingOf(placed: PlacedNode, names: ModuleNames): Setting {
	let setting: Setting = { test: null, helper: null, times: 1, flaw: null };
	let child = placed;
	for (let parent = placed.above; parent !== null; parent = parent.above) {
		const step = isFunction(child.node)
			? functionStep(child, parent, names)
			: { flaw: flawIn(child, parent), times: timesIn(child.node, parent.node, names) };
		setting = {
			test: step.test ?? setting.test,
			helper: setting.helper ?? step.helper ?? null,
			times: setting.times * (step.times ?? 1),
			flaw: setting.flaw ?? step.flaw ?? null,
		};
		child = parent;
	}
	return setting;
}

type Step = Partial<Setting>;

function flawIn({ node: child }: PlacedNode, { node, above }: PlacedNode): Flaw | null {
	if (unreachedIn(node).has(child)) return "unreached";
	if (isNeverTaken(child, node) || isShortCut(child, node) || isOverNothing(child, node))
		return "never";
	const isCall = above !== null && isCaught(node, above.node);
	return isCall || isSwallowedBy(child, node) ? "swallowed" : null;
}

/** The statements of a `case`; the branch of a condition is no list. */
const listIn = (node: SyntaxNode, field: string): readonly SyntaxNode[] =>
	node.type === "SwitchCase" ? nodesIn(node, field) : [];

function isOverNothing(child: SyntaxNode, node: SyntaxNode): boolean {
	const isLoop = node.type === "ForOfStatement" && child === node["body"];
	return isLoop && lengthOf(nodeIn(node, "right"), null) === 0;
}

/** By block: it is asked for once for each node that stands in it. */
const unreached = new WeakMap<SyntaxNode, ReadonlySet<SyntaxNode>>();

/** The statements behind one that ends their block in any case. */
function unreachedIn(block: SyntaxNode): ReadonlySet<SyntaxNode> {
	const known = unreached.get(block);
	if (known !== undefined) return known;
	const statements = [...nodesIn(block, "body"), ...listIn(block, "consequent")];
	const end = statements.findIndex(endsBlock);
	const behind = end === -1 ? [] : statements.slice(end + 1);
	const found = new Set(behind.filter(({ type }) => type !== "FunctionDeclaration"));
	unreached.set(block, found);
	return found;
}

function endsBlock(statement: SyntaxNode): boolean {
	switch (statement.type) {
		case "ReturnStatement":
		case "ThrowStatement":
		case "BreakStatement":
		case "ContinueStatement":
			return true;
		case "BlockStatement":
			return nodesIn(statement, "body").some(endsBlock);
		case "IfStatement": {
			const [test, then] = [nodeIn(statement, "test"), nodeIn(statement, "consequent")];
			return test !== null && then !== null && truthOf(test) === true && endsBlock(then);
		}
		default:
			return false;
	}
}

const CONDITION = /^(?:IfStatement|ConditionalExpression|WhileStatement)$/;

function isNeverTaken(child: SyntaxNode, node: SyntaxNode): boolean {
	if (!CONDITION.test(node.type)) return false;
	const test = nodeIn(node, "test");
	const truth = test === null ? null : truthOf(test);
	if (child === node["consequent"] || child === node["body"]) return truth === false;
	return child === node["alternate"] && truth === true;
}

function isShortCut(child: SyntaxNode, node: SyntaxNode): boolean {
	if (node.type !== "LogicalExpression") return false;
	const left = nodeIn(node, "left");
	const truth = left === null || child === left ? null : truthOf(left);
	return truth !== null && truth === (textIn(node, "operator") === "||");
}

function isSwallowedBy(child: SyntaxNode, node: SyntaxNode): boolean {
	if (node.type !== "TryStatement" || child !== node["block"]) return false;
	const [handler, last] = [nodeIn(node, "handler"), nodeIn(node, "finalizer")];
	const body = handler === null ? null : nodeIn(handler, "body");
	if (body !== null && doesNothing(body)) return true;
	return last !== null && nodesIn(last, "body").some(({ type }) => type === "ReturnStatement");
}

function isCaught(member: SyntaxNode, call: SyntaxNode): boolean {
	if (member.type !== "MemberExpression" || call["callee"] !== member) return false;
	const name = textIn(nodeIn(member, "property"), "name");
	const args = nodesIn(call, "arguments");
	const handler = name === "catch" ? args[0] : name === "then" ? args[1] : undefined;
	return handler !== undefined && isFunction(handler) && doesNothing(handler);
}

function doesNothing(code: SyntaxNode): boolean {
	return ![...nodesOf(code)].some(({ node, above }) => {
		if (
			/^(?:ThrowStatement|AssignmentExpression|UpdateExpression|YieldExpression)$/.test(node.type)
		)
			return true;
		return endsChain({ node, above }) && acts(chainOf(node));
	});
}

function acts({ links }: Chain): boolean {
	const [first] = links;
	if (ASSERTING.test(first.name)) return true;
	return links.some(({ args }) => args !== null) && first.name !== "console";
}

function functionStep(fn: PlacedNode, parent: PlacedNode, names: ModuleNames): Step {
	const { node } = parent;
	const name = declaredName(fn.node, node);
	if (name !== null) {
		const isUsed = (names.mentions.get(name) ?? 0) > 1 || isExported(parent);
		return { helper: name, flaw: isUsed ? null : "never" };
	}
	if (node.type === "ExpressionStatement") return { flaw: "never" };
	return nodesIn(node, "arguments").includes(fn.node) ? callbackStep(fn, parent, names) : {};
}

function callbackStep(fn: PlacedNode, call: PlacedNode, { lists, tests }: ModuleNames): Step {
	const { links, root } = chainOf(call.node);
	const rowsIn = (node: SyntaxNode): number => Math.max(1, lengthOf(node, lists) ?? 1);
	const test = testName(links, tests);
	const [rows] = links.find(({ name }) => name === "each")?.args ?? [];
	if (test !== null) return { test, times: rows === undefined ? 1 : rowsIn(rows) };
	const last = links.at(-1)?.name ?? "";
	const isAsync = fn.node["async"] === true;
	if (/^(?:forEach|map)$/.test(last) && !isAsync) return { times: rowsIn(root) };
	const isLate = LATER.test(last) || /^(?:forEach|map)$/.test(last);
	return isLate && isUnheard(call) && !isAnswered(fn) ? { flaw: "unawaited" } : {};
}

function declaredName(fn: SyntaxNode, parent: SyntaxNode): string | null {
	const named = parent.type === "VariableDeclarator" ? parent : fn;
	const name = textIn(nodeIn(named, "id"), "name");
	return fn.type === "FunctionDeclaration" || named === parent ? name || null : null;
}

function isExported({ node, above }: PlacedNode): boolean {
	if (/^Export/.test(node.type)) return true;
	return above !== null && /^VariableDeclarat/.test(node.type) && isExported(above);
}

const LATER =
	/^(?:then|catch|finally|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)$/;

export function isUnheard(call: PlacedNode): boolean {
	const { above } = wholeChain(call);
	return (
		above !== null &&
		(above.node.type === "ExpressionStatement" ||
			(above.node.type === "UnaryExpression" && above.node["operator"] === "void"))
	);
}

/** Tells whether a callback calls what a function around it was given, such as `done` or `resolve`. */
function isAnswered(fn: PlacedNode): boolean {
	const given = new Set<string>();
	for (let at = fn.above; at !== null; at = at.above) {
		if (!isFunction(at.node)) continue;
		for (const each of nodesIn(at.node, "params")) given.add(textIn(each, "name"));
	}
	const statement = wholeChain(fn).node;
	return [...nodesOf(statement)].some(
		({ node }) => node.type === "Identifier" && given.has(textIn(node, "name")),
	);
}

function timesIn(child: SyntaxNode, parent: SyntaxNode, { lists }: ModuleNames): number {
	if (parent.type !== "ForOfStatement" || child !== parent["body"]) return 1;
	return Math.max(1, lengthOf(nodeIn(parent, "right"), lists) ?? 1);
}

function lengthOf(
	node: SyntaxNode | null,
	lists: ReadonlyMap<string, number> | null,
): number | null {
	if (node?.type === "ArrayExpression") return nodesIn(node, "elements").length;
	return node?.type === "Identifier" ? (lists?.get(textIn(node, "name")) ?? null) : null;
}
