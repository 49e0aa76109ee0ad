import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitHost } from "../src/app/git-host.ts";
import { openCheckout } from "../src/git/checkout.ts";
import { openRepository } from "../src/git/repository.ts";
import { openVault } from "../src/git/vault.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { commitAll, type Environment, inScratch } from "./scratch.ts";

const FILES = 50_000;
const FILES_IN_FOLDER = 100;

/** Later turns that are measured; a first one there is only once. */
const ROUNDS = 5;

/**
 * The work on checkouts in a repository of 50,000 files: a later turn (a snapshot of the player's checkout with the
 * kept index, and the checks' warm checkout forced to it) against the first one, in which the checks' checkout is
 * made. The player's own checkout is there before, on both sides.
 */
export function measureLargeRepository(environment: Environment): Promise<Measurement> {
	return inScratch(async (scratch) => {
		const directory = join(scratch, "project");
		writeManyFiles(directory);
		commitAll(directory, environment);
		const repository = await openRepository(directory, gitHost(environment));
		const vault = await openVault(repository, join(scratch, "run"));
		const at = (name: string) =>
			openCheckout(vault, { dir: join(scratch, name), indexFile: join(scratch, `index-${name}`) });
		const player = at("player");
		const checks = at("checks");
		await player.forceTo(repository.headCommit);
		let parent = repository.headCommit;
		const turn = async (number: number, first: boolean): Promise<number> => {
			// As a player leaves it: one file changed, one new.
			writeFileSync(join(player.dir, "folder-7", "file-707.txt"), `changed in turn ${number}\n`);
			writeFileSync(join(player.dir, "folder-8", `new-${number}.txt`), "new\n");
			const start = performance.now();
			const { commit } = await player.snapshot({ parent, message: `turn ${number}\n`, at: number });
			await checks.forceTo(commit);
			const ms = performance.now() - start;
			if (!first) await player.forceTo(commit);
			parent = commit;
			return ms;
		};
		const firstMs = await turn(1, true);
		const later: number[] = [];
		for (let round = 2; round < 2 + ROUNDS; round += 1) later.push(await turn(round, false));
		return {
			name: `checkout work of a later turn with ${FILES} files, against the first turn`,
			value: median(later),
			floor: firstMs,
			unit: "ms",
			target: 0.2,
		};
	});
}

function writeManyFiles(directory: string): void {
	for (let index = 0; index < FILES; index += 1) {
		const folder = join(directory, `folder-${Math.floor(index / FILES_IN_FOLDER)}`);
		if (index % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `file-${index}.txt`), `This is file ${index}.\n`.repeat(10));
	}
}
