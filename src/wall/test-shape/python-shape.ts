import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { importedNames } from "../integrity/bound-names.ts";
import { elementsIn, pythonName, readPythonAssertion } from "./python-assertion.ts";
import { isDefinition, pythonSetting } from "./python-setting.ts";
import { ShapeBuilder } from "./shape-builder.ts";
import { type TestShape, TOLERANCE } from "./test-shape.ts";

/** What a test file in Python asserts. */
export function pythonShape(tree: SyntaxNode, text: string): TestShape {
	const placed = [...nodesOf(tree)];
	const lineOf = linesIn(text);
	const names = namesIn(placed);
	const isOwn = ownCalls(placed, text);
	const shape = new ShapeBuilder();
	for (const at of placed) {
		const { node } = at;
		const line = lineOf(node.start);
		const name = isDefinition(node) && isCollected(at) ? textIn(node, "name") : "";
		if (/^test/.test(name)) shape.test({ name, line, isEmpty: isEmpty(node) });
		const said = readPythonAssertion(at, text, isOwn);
		if (said !== null) shape.assertion(said, pythonSetting(at, names), line);
		else if (node.type === "Raise") shape.thrown(pythonSetting(at, names), line);
		if (node.type === "Call" && (said === null || said.through !== null)) {
			const rows = Math.max(1, ...nodesIn(node, "args").map(elementsIn));
			shape.call(pythonName(node), pythonSetting(at, names), rows);
		}
	}
	const shadowed = placed
		.filter((at) => isShadowing(at) || isRedefined(at))
		.map(({ node }) => lineOf(node.start));
	return shape.built({ shadowed, tolerances: tolerancesIn(placed) });
}

/** Modules of assertions that are no part of the project. */
const LIBRARY = /^(?:unittest|pytest|nose|hamcrest|testtools)\b|(?:^|\.)_?testing\b/;

/** Whether a call is of a function of the project: what stands in it decides whether it can fail. */
function ownCalls(placed: readonly PlacedNode[], text: string): (call: SyntaxNode) => boolean {
	const defined = new Set(
		placed.flatMap(({ node }) => (isDefinition(node) ? [textIn(node, "name")] : [])),
	);
	const foreign = importedNames("a.py", text).filter(({ module }) => LIBRARY.test(module));
	const libraries = new Set(foreign.map(({ name }) => name));
	return (call) => {
		const called = nodeIn(call, "func");
		const name = pythonName(call);
		return called?.type === "Name" ? !libraries.has(name) : defined.has(name);
	};
}

/** Whether a later test of the same module or class takes a test's name. */
function isRedefined({ node, above }: PlacedNode): boolean {
	if (!(isDefinition(node) && /^test/.test(textIn(node, "name"))) || above === null) return false;
	const body = nodesIn(above.node, "body");
	const later = body.slice(body.indexOf(node) + 1).filter(isDefinition);
	return later.some((other) => textIn(other, "name") === textIn(node, "name"));
}

/** Whether a function is a test to pytest and unittest: of the module or of a class. */
export function isCollected({ above }: PlacedNode): boolean {
	for (let at = above; at !== null; at = at.above) if (isDefinition(at.node)) return false;
	return true;
}

function isEmpty(definition: SyntaxNode): boolean {
	return nodesIn(definition, "body").every(
		(node) =>
			node.type === "Pass" || (node.type === "Expr" && nodeIn(node, "value")?.type === "Constant"),
	);
}

function namesIn(placed: readonly PlacedNode[]): {
	readonly mentions: ReadonlySet<string>;
	readonly lists: ReadonlyMap<string, number>;
} {
	const mentions = new Set<string>();
	const lists = new Map<string, number>();
	for (const { node } of placed) {
		if (node.type === "Name") mentions.add(textIn(node, "id"));
		if (node.type === "Attribute") mentions.add(textIn(node, "attr"));
		const [target] = node.type === "Assign" ? nodesIn(node, "targets") : [];
		const value = target === undefined ? null : nodeIn(node, "value");
		if (target !== undefined && value !== null && /^(?:List|Tuple)$/.test(value.type))
			lists.set(textIn(target, "id"), nodesIn(value, "elts").length);
	}
	return { mentions, lists };
}

function tolerancesIn(placed: readonly PlacedNode[]): Map<string, number> {
	const found = new Map<string, number>();
	for (const { node } of placed) {
		const [target] = nodesIn(node, "targets");
		const value = nodeIn(node, "value")?.["value"];
		const name = textIn(target ?? nodeIn(node, "target"), "id");
		if (typeof value === "number" && TOLERANCE.test(name)) found.set(name, value);
	}
	return found;
}

const BUILT_IN =
	/^assert(?:Equal|True|False|Is|IsNot|IsNone|IsNotNone|In|NotIn|Raises|RaisesRegex|AlmostEqual|Greater|Less|Regex|CountEqual|(?:List|Dict|Set|Tuple|Sequence|MultiLine)Equal|NotEqual)$|^(?:fail|failureException|raises|approx)$/;

/** Whether a statement replaces an assertion of unittest or pytest by something else. */
function isShadowing({ node }: PlacedNode): boolean {
	if (isDefinition(node))
		return (
			BUILT_IN.test(textIn(node, "name")) && !/^fail$/.test(textIn(node, "name")) && !raises(node)
		);
	if (node.type === "Assign")
		return nodesIn(node, "targets").some((target) =>
			BUILT_IN.test(textIn(target, "attr") || textIn(target, "id")),
		);
	if (node.type !== "Call" || pythonName(node) !== "setattr") return false;
	return nodesIn(node, "args").some((each) => {
		const name = textIn(each, "value").split(".").at(-1) ?? "";
		return each.type === "Constant" && BUILT_IN.test(name);
	});
}

/** Whether a function can fail, or leaves that to the one it replaces. */
function raises(definition: SyntaxNode): boolean {
	return [...nodesOf(definition)].some(
		({ node }) =>
			/^(?:Raise|Assert)$/.test(node.type) ||
			(node.type === "Call" && /^(?:super|assert\w*|fail)$/.test(pythonName(node))),
	);
}
