import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { pythonName, pythonTruth } from "./python-assertion.ts";
import type { Flaw, Setting } from "./test-shape.ts";

/** Whether a node defines a function. */
export function isDefinition({ type }: SyntaxNode): boolean {
	return type === "FunctionDef" || type === "AsyncFunctionDef";
}

/** What is known of a Python module's names. */
interface PythonNames {
	/** Names that something refers to. */
	readonly mentions: ReadonlySet<string>;
	/** Lengths of lists that have a name. */
	readonly lists: ReadonlyMap<string, number>;
}

/** Where a node stands: in which test or helper, how often it runs, and whether it runs at all, and is heard. */
export function pythonSetting(placed: PlacedNode, names: PythonNames): Setting {
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

/** Rows of a table of parameters. */
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

/** Whether what an `except` or a `suppress` names takes failed assertions with it. */
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

/** Whether a statement neither asserts, raises, keeps nor calls anything, save for printing. */
function doesNothing(statement: SyntaxNode): boolean {
	return ![...nodesOf(statement)].some(
		({ node }) =>
			/^(?:Raise|Assert|Assign|AugAssign|AnnAssign|NamedExpr|Yield|YieldFrom)$/.test(node.type) ||
			(node.type === "Call" && !QUIET.test(pythonName(node))),
	);
}
