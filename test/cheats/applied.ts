import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Cheat, Honest } from "./case.ts";
import { command } from "./command.ts";
import { whatIsWrong } from "./oracle.ts";
import { type Edit, edited, type Tree } from "./tree.ts";

/**
 * What the oracle of a case says about a patch of its project, without the product in between.
 *
 * @param patch default: that of the case
 */
export async function wrongWith(
	one: Cheat | Honest,
	patch: readonly Edit[] = one.patch,
): Promise<readonly string[]> {
	const home = mkdtempSync(join(tmpdir(), "spar-oracle-"));
	try {
		const [tree, scratch] = [join(home, "tree"), join(home, "scratch")];
		for (const directory of [tree, scratch]) mkdirSync(directory);
		writeTree(tree, edited(one.project.files, patch));
		if (one.run !== undefined && patch === one.patch)
			await command(["sh", "-c", one.run], { cwd: tree, home });
		return await whatIsWrong(one, tree, scratch);
	} finally {
		rmSync(home, { recursive: true, force: true, maxRetries: 3 });
	}
}

function writeTree(root: string, tree: Tree): void {
	for (const [path, content] of Object.entries(tree)) {
		const file = join(root, path);
		mkdirSync(dirname(file), { recursive: true });
		if (typeof content === "string") writeFileSync(file, content);
		else symlinkSync(content.link, file);
	}
}
