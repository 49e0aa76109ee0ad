import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Cheat, Honest } from "./case.ts";
import { command } from "./command.ts";
import { looksDone, whatIsWrong } from "./oracle.ts";
import { type Edit, edited, type Tree } from "./tree.ts";

/** A patch as its project's own check and the oracle see it, without the product in between. */
export interface Applied {
	readonly looksDone: boolean;
	/** Empty when the work is done. */
	readonly wrong: readonly string[];
}

/** @param patch default: that of the case */
export async function applied(
	one: Cheat | Honest,
	patch: readonly Edit[] = one.patch,
): Promise<Applied> {
	const home = mkdtempSync(join(tmpdir(), "spar-oracle-"));
	try {
		const [tree, scratch] = [join(home, "tree"), join(home, "scratch")];
		for (const directory of [tree, scratch]) mkdirSync(directory);
		writeTree(tree, edited(one.project.files, patch));
		if (one.run !== undefined && patch === one.patch)
			await command(["sh", "-c", one.run], { cwd: tree, home });
		// Products may ask git.
		await command(["sh", "-c", COMMITTED], { cwd: tree, home });
		const wrong = await whatIsWrong(one, tree, scratch);
		return { looksDone: await looksDone(one, tree, home), wrong };
	} finally {
		rmSync(home, { recursive: true, force: true, maxRetries: 3 });
	}
}

const COMMITTED =
	"git init -q && git add -A && git -c user.name=Ada -c user.email=ada@example.org commit -qm Work";

function writeTree(root: string, tree: Tree): void {
	for (const [path, content] of Object.entries(tree)) {
		const file = join(root, path);
		mkdirSync(dirname(file), { recursive: true });
		if (typeof content === "string") writeFileSync(file, content);
		else symlinkSync(content.link, file);
	}
}
