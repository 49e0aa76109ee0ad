import type { Evidence } from "../../evidence/evidence.ts";
import { randomId } from "../../kernel/ids.ts";
import { loadModuleParser } from "../../syntax/module-syntax.ts";
import { plainRun } from "../../wall/canary/plain-run.ts";
import { renamed, reworded } from "../../wall/canary/reworded.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";

export interface PlainRequest {
	/** Code of the base on the tests' side. */
	readonly texts: ReadonlyMap<string, string>;
	/** The test files among them. */
	readonly tests: readonly string[];
	/** Runs a command on the product, or on the base, with further files. */
	readonly run: (
		on: "product" | "base",
		definition: Pick<CheckDefinition, "run" | "report">,
		files: readonly { readonly path: string; readonly text: string }[],
	) => Promise<Evidence>;
}

const MAX_CHANGED = 100;

// Tests of the base that compare otherwise where their runner is not there, or where their names and words are others,
// although on the base they do not. One that needs its runner fails there on the base as well, or fails by no comparison.
// A file with a case that fails is run once more.
export async function watchedOnly({ texts, tests, run }: PlainRequest): Promise<readonly string[]> {
	const mark = randomId(10);
	const setups = [...texts].filter(([, text]) => /\bexpect\.extend\(/.test(text));
	const { files, command, report } = plainRun(
		tests,
		setups.map(([path]) => path).filter((path) => !tests.includes(path)),
		mark,
		[...texts.keys()],
	);
	if (files.length === 0) return [];
	const parse = await loadModuleParser();
	const some = [...texts].slice(0, MAX_CHANGED);
	const others = some.flatMap(([path, text]) => {
		const tree = parse(text, path);
		return tree === null ? [] : [{ path, text: reworded(text, tree, mark) }];
	});
	const otherNames = renamed(some);
	for (const changed of otherNames.length === 0 ? [others] : [others, otherNames]) {
		const casesOn = async (on: "product" | "base", status: string): Promise<string[]> => {
			const definition = { run: command, report: { format: "tap", path: report } } as const;
			const { cases } = await run(on, definition, [...files, ...changed]);
			return (cases ?? []).filter((one) => one.status === status).map(({ id }) => id);
		};
		const failed = await casesOn("product", "failed");
		if (failed.length === 0) continue;
		const right = new Set(await casesOn("base", "passed"));
		const otherwise = new Set(failed.filter((id) => right.has(id)));
		if (otherwise.size === 0) continue;
		const again = (await casesOn("product", "failed")).filter((id) => otherwise.has(id));
		if (again.length > 0) return again;
	}
	return [];
}
