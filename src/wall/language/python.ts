import { nodesOf, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { pythonTrees } from "../../syntax/python-syntax.ts";
import { PYTHON_PROBE, pythonProbeName } from "../measure/python-probe.ts";
import { pythonImports, pythonPlaces, pythonTargets } from "./bound-names.ts";
import type { Language, TestPart } from "./language.ts";
import { pythonChoices } from "./python-choices.ts";
import { pythonCopies } from "./python-copies.ts";
import { pythonMeasured } from "./python-measured.ts";
import { isCollected } from "./python-nodes.ts";
import { wrongPythonValues } from "./python-wrong-values.ts";
import { HOOK } from "./test-names.ts";

export const python: Language = {
	isOf: (path) => path.endsWith(".py"),
	trees: (files, run) =>
		pythonTrees(
			files.map(({ text }) => text),
			run,
		),
	testsIn: pythonParts,
	wrongValues: wrongPythonValues,
	copiesIn: pythonCopies,
	measured: pythonMeasured,
	measuredBy: (token) => ({ path: `${pythonProbeName(token)}.py`, text: PYTHON_PROBE }),
	choicesIn: pythonChoices,
	plainNames: () => null,
	importsIn: pythonImports,
	placesOf: pythonPlaces,
	targetsIn: pythonTargets,
	without: {
		body: "pass",
		importOf: (module) =>
			new RegExp(`^from[ \\t]+${module}[ \\t]+import[ \\t]+(?:\\([^)]*\\)|[^\\n#]+)`, "gm"),
		nameOf: (name) => `${name} = None`,
	},
};

function pythonParts(tree: SyntaxNode, text: string): TestPart[] {
	return [...nodesOf(tree)].flatMap((at): TestPart[] => {
		const { node } = at;
		if (!isCollected(at)) return [];
		const [decorator] = nodesIn(node, "decorator_list");
		const start = decorator ? text.lastIndexOf("@", decorator.start) : node.start;
		const span = [start, node.end] as const;
		const own = { text: text.slice(...span), span, body: null };
		const helper = (name: string): TestPart => ({ ...own, kind: "helper", name });
		if (/^(?:Ann)?Assign$/.test(node.type)) {
			const targets = [...nodesIn(node, "targets"), nodeIn(node, "target")];
			return targets.flatMap((target) => textIn(target, "id") || []).map(helper);
		}
		if (!/^(?:Async)?FunctionDef$/.test(node.type)) return [];
		const name = textIn(node, "name");
		const [first] = nodesIn(node, "body");
		if (!/^test/.test(name) || first === undefined)
			return [HOOK.test(name) ? { ...helper(""), kind: "hook" } : helper(name)];
		return [{ ...own, kind: "case", name, body: [first.start, node.end] }];
	});
}
