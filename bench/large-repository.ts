import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCheckout } from "../src/git/checkout.ts";
import { openRepository } from "../src/git/repository.ts";
import { openVault } from "../src/git/vault.ts";
import { gitHost } from "../src/places/places.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { commitAll, type Environment, inScratch } from "./scratch.ts";

const FILES = 50_000;
const FILES_IN_FOLDER = 100;

/** Later turns that are measured; a first one there is only once. */
const ROUNDS = 5;

/**
 * The work on checkouts in a repository of 50,000 files, in the loop's own order: a later turn of a pair against the
 * first, in which the checkouts of player, checks and coach are made and the baseline's is forced.
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
		const [player, checks, coach] = [at("player"), at("checks"), at("coach")];
		let parent = repository.headCommit;
		const turn = async (number: number): Promise<number> => {
			const start = performance.now();
			if (number === 1) for (const checkout of [player, checks]) await checkout.forceTo(parent);
			await player.forceTo(parent);
			const paused = performance.now();
			// As a player leaves it: one file changed, one new.
			writeFileSync(join(player.dir, "folder-7", "file-707.txt"), `changed in turn ${number}\n`);
			writeFileSync(join(player.dir, "folder-8", `new-${number}.txt`), "new\n");
			const goesOn = performance.now();
			const { commit } = await player.snapshot({ parent, message: `turn ${number}\n`, at: number });
			await checks.forceTo(commit);
			await checks.changedFiles(commit);
			if (number > 1) await coach.isUnchanged(parent);
			await coach.forceTo(commit);
			parent = commit;
			return paused - start + performance.now() - goesOn;
		};
		const firstMs = await turn(1);
		const later: number[] = [];
		for (let round = 2; round < 2 + ROUNDS; round += 1) later.push(await turn(round));
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
