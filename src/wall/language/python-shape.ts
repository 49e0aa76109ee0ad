import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { pythonImports } from "./bound-names.ts";
import { elementsIn, pythonName, pythonTruth, readPythonAssertion } from "./python-assertion.ts";
import { type Flaw, type Setting, ShapeBuilder, type TestShape } from "./test-shape.ts";

function isDefinition({ type }: SyntaxNode): boolean {
	return type === "FunctionDef" || type === "AsyncFunctionDef";
}

interface PythonNames {
	readonly mentions: ReadonlySet<string>;
	readonly lists: ReadonlyMap<string, number>;
}

/** Position of a node: in which test or helper, how often it runs, and whether it runs at all, and is heard. */
function pythonSetting(placed: PlacedNode, names: PythonNames): Setting {
	let setting: Setting = { test: null, helper: null, times: 1, flaw: null };
	let child = placed.node;
	for (let at = placed.above; at !== null; at = at.above) {
		const { node, above } = at;
		const flaw = setting.flaw ?? flawIn(child, node);
		setting = { ...setting, flaw, times: setting.times * timesIn(child, node, names) };
		if (isDefinition(node)) setting = inFunction(node, above, setting, names);
		child = node;
	}
	return setting;
}

function inFunction(
	node: SyntaxNode,
	above: PlacedNode | null,
	{ test, helper, times, flaw }: Setting,
	{ mentions, lists }: PythonNames,
): Setting {
	const name = textIn(node, "name");
	const rows = nodesIn(node, "decorator_list").map((each) => rowsOf(each, lists));
	const all = rows.reduce((product, count) => product * count, times);
	if (/^test/.test(name)) return { test: test ?? name, helper, times: all, flaw };
	// What a module offers may be used elsewhere, and what a decorator got is used by it.
	const isHidden = above !== null && isDefinition(above.node);
	const isUncalled =
		isHidden && !mentions.has(name) && nodesIn(node, "decorator_list").length === 0;
	// A test knows what a fixture gives it by the fixture's name.
	const isFixture = nodesIn(node, "decorator_list").some((each) => pythonName(each) === "fixture");
	const known = isFixture ? name : (helper ?? name);
	return { test, helper: known, times: all, flaw: flaw ?? (isUncalled ? "never" : null) };
}

function rowsOf(decorator: SyntaxNode, lists: ReadonlyMap<string, number>): number {
	if (pythonName(decorator) !== "parametrize") return 1;
	return Math.max(1, lengthOf(nodesIn(decorator, "args")[1], lists));
}

function timesIn(
	child: SyntaxNode,
	parent: SyntaxNode,
	{ lists }: Pick<PythonNames, "lists">,
): number {
	if (parent.type !== "For" || !nodesIn(parent, "body").includes(child)) return 1;
	return Math.max(1, lengthOf(nodeIn(parent, "iter") ?? undefined, lists));
}

function lengthOf(node: SyntaxNode | undefined, lists: ReadonlyMap<string, number>): number {
	if (node === undefined) return 1;
	if (/^(?:List|Tuple)$/.test(node.type)) return nodesIn(node, "elts").length;
	return node.type === "Name" ? (lists.get(textIn(node, "id")) ?? 1) : 1;
}

function flawIn(child: SyntaxNode, parent: SyntaxNode): Flaw | null {
	for (const field of ["body", "orelse", "finalbody"]) {
		const list = nodesIn(parent, field);
		const at = list.indexOf(child);
		if (at > 0 && !isDefinition(child) && list.slice(0, at).some(endsBlock)) return "unreached";
	}
	switch (parent.type) {
		case "If":
		case "While":
		case "IfExp":
			return isNeverTaken(child, parent) ? "never" : null;
		case "For":
			return isEmptyList(nodeIn(parent, "iter")) ? "never" : null;
		case "With":
		case "AsyncWith":
			return nodesIn(parent, "items").some(suppresses) ? "swallowed" : null;
		case "Try":
		case "TryStar":
			return isSwallowedBy(child, parent) ? "swallowed" : null;
		default:
			return null;
	}
}

function endsBlock(statement: SyntaxNode): boolean {
	if (/^(?:Return|Raise|Break|Continue)$/.test(statement.type)) return true;
	const test = statement.type === "If" ? nodeIn(statement, "test") : null;
	return test !== null && pythonTruth(test) === true && nodesIn(statement, "body").some(endsBlock);
}

function isNeverTaken(child: SyntaxNode, parent: SyntaxNode): boolean {
	const test = nodeIn(parent, "test");
	const truth = test === null || child === test ? null : pythonTruth(test);
	const isElse = parent["orelse"] === child || nodesIn(parent, "orelse").includes(child);
	return truth !== null && truth === isElse;
}

const isEmptyList = (node: SyntaxNode | null): boolean =>
	node !== null && /^(?:List|Tuple)$/.test(node.type) && nodesIn(node, "elts").length === 0;

const BROAD = /^(?:Exception|BaseException|AssertionError|ExceptionGroup|failureException)$/;

function isBroad(caught: SyntaxNode | null): boolean {
	if (caught === null) return true;
	if (caught.type === "Tuple") return nodesIn(caught, "elts").some(isBroad);
	return BROAD.test(pythonName(caught));
}

function suppresses(item: SyntaxNode): boolean {
	const call = nodeIn(item, "context_expr");
	return call?.type === "Call" && pythonName(call) === "suppress"
		? nodesIn(call, "args").some(isBroad)
		: false;
}

function isSwallowedBy(child: SyntaxNode, node: SyntaxNode): boolean {
	if (!nodesIn(node, "body").includes(child)) return false;
	const quiet = nodesIn(node, "handlers").some(
		(handler) => isBroad(nodeIn(handler, "caught")) && nodesIn(handler, "body").every(doesNothing),
	);
	return quiet || nodesIn(node, "finalbody").some(({ type }) => type === "Return");
}

const QUIET = /^(?:print|debug|info|warning|warn|error|exception|log|str|repr|format)$/;

function doesNothing(statement: SyntaxNode): boolean {
	return ![...nodesOf(statement)].some(
		({ node }) =>
			/^(?:Raise|Assert|Assign|AugAssign|AnnAssign|NamedExpr|Yield|YieldFrom)$/.test(node.type) ||
			(node.type === "Call" && !QUIET.test(pythonName(node))),
	);
}

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
	return shape.built(shadowed);
}

/** Modules of assertions that are no part of the project. */
const LIBRARY = /^(?:unittest|pytest|nose|hamcrest|testtools)\b|(?:^|\.)_?testing\b/;

function ownCalls(placed: readonly PlacedNode[], text: string): (call: SyntaxNode) => boolean {
	const defined = new Set(
		placed.flatMap(({ node }) => (isDefinition(node) ? [textIn(node, "name")] : [])),
	);
	const foreign = pythonImports(text).filter(({ module }) => LIBRARY.test(module));
	const libraries = new Set(foreign.map(({ name }) => name));
	return (call) => {
		const called = nodeIn(call, "func");
		const name = pythonName(call);
		return called?.type === "Name" ? !libraries.has(name) : defined.has(name);
	};
}

/** Tells whether a later test of the same module or class takes a test's name. */
function isRedefined({ node, above }: PlacedNode): boolean {
	if (!(isDefinition(node) && /^test/.test(textIn(node, "name"))) || above === null) return false;
	const body = nodesIn(above.node, "body");
	const later = body.slice(body.indexOf(node) + 1).filter(isDefinition);
	return later.some((other) => textIn(other, "name") === textIn(node, "name"));
}

/** Tells whether a function is a test to pytest and unittest: of the module or of a class. */
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

const BUILT_IN =
	/^assert(?:Equal|True|False|Is|IsNot|IsNone|IsNotNone|In|NotIn|Raises|RaisesRegex|AlmostEqual|Greater|Less|Regex|CountEqual|(?:List|Dict|Set|Tuple|Sequence|MultiLine)Equal|NotEqual)$|^(?:fail|failureException|raises|approx)$/;

/** Tells whether a statement replaces an assertion of unittest or pytest by something else. */
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

function raises(definition: SyntaxNode): boolean {
	return [...nodesOf(definition)].some(
		({ node }) =>
			/^(?:Raise|Assert)$/.test(node.type) ||
			(node.type === "Call" && /^(?:super|assert\w*|fail)$/.test(pythonName(node))),
	);
}
