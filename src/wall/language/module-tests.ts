import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { chainOf, isFunction, type Link } from "./module-chain.ts";

type NameRole = "test" | "library";

export type TestNames = ReadonlyMap<string, NameRole>;

const TEST = /^(?:test|it|specify|fit|xit|xtest|ftest|testWidgets)$/;

const LIBRARY =
	/^(?:(?:node|bun):test|test|vitest|@jest\/globals|mocha|ava|tape|tap|uvu|qunit|zora|@playwright\/test|@japa\/runner|(?:jsr:)?@std\/testing\/bdd)$/;

/** Words between a library, or its default export, and the arguments of a test: `t.only("a", ...)`. */
const OF_TEST =
	/^(?:default|strict|only|skip|todo|each|for|concurrent|sequential|serial|parallel|fails|failing|skipIf|runIf|todoIf|if|extend|)$/;

/** Members of a test function that are no tests: `test.before(() => {})`. */
const NO_TEST =
	/^(?:describe|suite|mock|before(?:Each|All)?|after(?:Each|All)?|setup|teardown|mockRequire)$/;

/** The names that a module gives to test functions and to their libraries, however it imports them. */
export function testNamesIn(placed: readonly PlacedNode[]): TestNames {
	const names = new Map<string, NameRole>();
	for (const { node } of placed) {
		if (node.type === "ImportDeclaration") addImports(node, names);
		else if (node.type === "VariableDeclarator") addDeclared(node, names);
		else if (node.type === "TSImportEqualsDeclaration") {
			const from = nodeIn(nodeIn(node, "moduleReference") ?? node, "expression");
			if (isLibrary(from)) names.set(textIn(nodeIn(node, "id"), "name"), "library");
		}
	}
	return names;
}

const isLibrary = (source: SyntaxNode | null | undefined): boolean =>
	source?.type === "StringLiteral" && LIBRARY.test(textIn(source, "value"));

/** The library from which a module has its test functions; null for none. */
export function libraryIn(placed: readonly PlacedNode[]): string | null {
	const loads = placed.filter(({ node }) => isLibrary(sourceOf(node)));
	const found = loads.find((at) => testNamesIn([at]).size > 0) ?? loads[0];
	return found === undefined ? null : textIn(sourceOf(found.node), "value");
}

const sourceOf = (node: SyntaxNode): SyntaxNode | null =>
	node.type === "ImportDeclaration" ? nodeIn(node, "source") : requiredBy(node);

function requiredBy(node: SyntaxNode): SyntaxNode | null {
	const isRequire = textIn(nodeIn(node, "callee"), "name") === "require";
	return isRequire ? (nodesIn(node, "arguments")[0] ?? null) : null;
}

function addImports(node: SyntaxNode, names: Map<string, NameRole>): void {
	if (!isLibrary(nodeIn(node, "source"))) return;
	for (const each of nodesIn(node, "specifiers")) {
		const role =
			each.type === "ImportSpecifier" ? roleOfPart(nameOf(nodeIn(each, "imported"))) : "library";
		if (role !== null) names.set(textIn(nodeIn(each, "local"), "name"), role);
	}
}

/** Role of a library's member: `test`, and itself as `default`. */
function roleOfPart(name: string): NameRole | null {
	if (name === "default") return "library";
	return TEST.test(name) ? "test" : null;
}

const nameOf = (node: SyntaxNode | null): string => textIn(node, "name") || textIn(node, "value");

function addDeclared(node: SyntaxNode, names: Map<string, NameRole>): void {
	const [id, init] = [nodeIn(node, "id"), nodeIn(node, "init")];
	const role = init === null ? null : roleOf(init, names);
	if (id === null || role === null) return;
	if (id.type === "Identifier") names.set(textIn(id, "name"), role);
	for (const each of nodesIn(id, "properties")) {
		const part = roleOfPart(nameOf(nodeIn(each, "key")));
		const local = nodeIn(each, "value");
		if (part !== null && role === "library")
			names.set(textIn(nodeIn(local ?? each, "left") ?? local, "name"), part);
	}
}

function roleOf(value: SyntaxNode, names: TestNames): NameRole | null {
	const { root, links } = chainOf(value);
	const [{ name, args }, ...rest] = links;
	const awaited = root.type === "AwaitExpression" ? nodeIn(root, "argument") : null;
	if (awaited !== null) return roleThrough(roleOf(awaited, names), rest);
	if (root.type === "ImportExpression")
		return isLibrary(nodeIn(root, "source")) ? roleThrough("library", rest) : null;
	if (args === null) return roleThrough(known(name, names), rest);
	return name === "require" && isLibrary(args[0]) ? roleThrough("library", rest) : null;
}

/** Role of a property of a test function or of its library; what is called is no longer followed. */
function roleThrough(role: NameRole | null, links: readonly Link[]): NameRole | null {
	return links.reduce<NameRole | null>((found, { name, args }) => {
		if (found === null || args !== null) return null;
		return roleOfPart(name) ?? (OF_TEST.test(name) ? found : null);
	}, role);
}

const known = (name: string, names: TestNames): NameRole | null =>
	names.get(name) ?? (TEST.test(name) ? "test" : null);

/** The name of the test that a call declares; null if it declares none. */
export function testName(links: readonly Link[], names: TestNames): string | null {
	const args = links.at(-1)?.args ?? [];
	const [first] = args;
	if (first === undefined || !(declaresTest(links, names) && args.some(isFunction))) return null;
	if (first.type === "StringLiteral") return textIn(first, "value");
	const parts = nodesIn(first, "quasis").map(({ value }) =>
		typeof value === "object" && value !== null && "raw" in value ? String(value.raw) : "",
	);
	return parts.join("*") || "(test)";
}

function declaresTest(links: readonly Link[], names: TestNames): boolean {
	const [{ name: root } = { name: "" }, ...rest] = links;
	const [second] = rest;
	if (/^(?:globalThis|global)$/.test(root)) return second !== undefined && TEST.test(second.name);
	if (/^(?:t|Deno|QUnit|suite|ctx)$/.test(root) && second?.name === "test") return true;
	if (rest.some(({ name }) => NO_TEST.test(name))) return false;
	const role = known(root, names);
	return role === "test" || (role === "library" && rest.every(isOfTest));
}

const isOfTest = ({ name }: Link): boolean => TEST.test(name) || OF_TEST.test(name);
