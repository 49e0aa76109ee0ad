import type { CheckDefinition } from "../../workflow/workflow.ts";
import { readSides } from "../replay/read-sides.ts";
import type { Sides } from "./sides.ts";

/** The line of a base that is given as its files, for an acceptance check. */
export function sidesOf(
	files: Readonly<Record<string, string>>,
	check: Partial<CheckDefinition> = {},
): Promise<Sides> {
	const whole: CheckDefinition = {
		name: "tests",
		kind: "acceptance",
		run: "npm test",
		timeoutMs: 1_000,
		baseline: "new",
		...check,
	};
	const view = {
		files: () => Promise.resolve(new Set(Object.keys(files))),
		texts: (paths: readonly string[]) =>
			Promise.resolve(new Map(paths.map((path) => [path, files[path] ?? ""]))),
	};
	return readSides(view, [whole]);
}
