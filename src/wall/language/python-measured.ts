import { nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodesIn, textIn } from "../../syntax/node-fields.ts";
import { pythonProbeName } from "../measure/python-probe.ts";
import type { MeasureRequest } from "./language.ts";
import { isCollected } from "./python-nodes.ts";
import { inserted, type Splice } from "./splice.ts";

/**
 * Splices by which a Python file gets hold of the product through the module `spar_measure_TOKEN.py` at the root of the
 * checkout. Each import is followed by statements on its own line; cases are found when they run.
 */
export function pythonMeasured(
	tree: SyntaxNode,
	text: string,
	{ token, isProduct }: MeasureRequest,
): readonly Splice[] | null {
	const probe = probeOf(token);
	const imports = [...nodesOf(tree)].flatMap((at) => {
		const made = boundIn(at.node, probe, isProduct).join("");
		return made === "" ? [] : [{ at, splice: inserted(at.node.end, made) }];
	});
	if (imports.length === 0) return null;
	const splices = imports.map(({ splice }) => splice);
	// Cases that import for themselves run when it is too late for the first of them.
	const isLate = !imports.some(({ at }) => isCollected(at));
	const end = text.endsWith("\n") ? `${probe}.install()\n` : `\n${probe}.install()\n`;
	return isLate ? [...splices, inserted(text.length, end)] : splices;
}

/** An expression for the module, which is looked for above the file and above the folder of the run. */
function probeOf(token: string): string {
	const name = pythonProbeName(token);
	const above = (place: string): string =>
		`*__import__("pathlib").Path(${place}).resolve().parents`;
	const places = `[${above("__file__")}, ${above('"x"')}]`;
	const root = `next(str(at) for at in ${places} if (at / "${name}.py").is_file())`;
	return `(__import__("sys").modules.get("${name}") or __import__("sys").path.append(${root}) or __import__("${name}"))`;
}

function boundIn(
	node: SyntaxNode,
	probe: string,
	isProduct: MeasureRequest["isProduct"],
): readonly string[] {
	if (!/^Import(?:From)?$/.test(node.type)) return [];
	const from =
		node.type === "Import" ? "" : ".".repeat(Number(node["level"])) + textIn(node, "module");
	return nodesIn(node, "names").flatMap((alias) => {
		const name = textIn(alias, "name");
		const isOwn = from === "" ? isProduct(name) : isOf(from, name, isProduct);
		if (!isOwn) return [];
		if (name === "*") return [`; ${probe}.star("${from}")`];
		const bound = textIn(alias, "asname") || (from === "" ? name.replace(/\..*/, "") : name);
		const told = from === "" ? bound : name;
		return [`; ${bound} = ${probe}.product("${told}", ${bound})`];
	});
}

/** A name may be that of a module in a package. */
const isOf = (from: string, name: string, isProduct: MeasureRequest["isProduct"]): boolean =>
	isProduct(from) ||
	(name !== "*" && isProduct(from.endsWith(".") ? from + name : `${from}.${name}`));
