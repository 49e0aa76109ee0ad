import { existsSync } from "node:fs";
import { join } from "node:path";

/** A file of the built program, and the modules with which it begins, as paths below the source without `.ts`. */
export type Part = readonly [name: string, modules: readonly string[]];

/** How rolldown is told of a part. */
interface PartGroup {
	readonly name: string;
	/** The highest comes first. */
	readonly priority: number;
	/** Whether a module, by its path, is one of those with which the part begins. */
	readonly test: (id: string) => boolean;
}

/**
 * The groups of rolldown that make the parts, of which an earlier one takes what both import.
 *
 * @param source folder of the modules
 * @throws Error for a module that is not there: without it the part would be cut wrongly, and nobody would be told
 */
export function partGroups(source: string, parts: readonly Part[]): PartGroup[] {
	return parts.map(([name, modules], nth) => {
		const files = new Set(modules.map((module) => join(source, `${module}.ts`)));
		for (const file of files) if (!existsSync(file)) throw new Error(`no such module: ${file}`);
		return { name, priority: parts.length - nth, test: (id) => files.has(id) };
	});
}
