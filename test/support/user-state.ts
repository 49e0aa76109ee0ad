import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "./repository.ts";

function bytes(repo: TestRepository, path: string): string {
	const file = join(repo.root, ".git", path);
	return existsSync(file) ? readFileSync(file).toString("base64") : "absent";
}

function contents(root: string, below: string): readonly (readonly [string, string])[] {
	return readdirSync(join(root, below), { withFileTypes: true })
		.filter(({ name }) => !(below === "" && [".git", ".sparring"].includes(name)))
		.flatMap((entry) => {
			const path = join(below, entry.name);
			if (entry.isDirectory()) return contents(root, path);
			if (entry.isSymbolicLink()) return [[path, readlinkSync(join(root, path))] as const];
			return [[path, readFileSync(join(root, path), "base64")] as const];
		});
}

/** Everything of the user's that a run must leave byte for byte as it was. */
export interface UserState {
	readonly head: string;
	readonly index: string;
	readonly config: string;
	readonly stash: string;
	/** All refs but Sparring's own. */
	readonly refs: readonly string[];
	readonly files: Readonly<Record<string, string>>;
}

export function userState(repo: TestRepository): UserState {
	const refs = repo.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
	return {
		head: bytes(repo, "HEAD"),
		index: bytes(repo, "index"),
		config: bytes(repo, "config"),
		stash: bytes(repo, "logs/refs/stash"),
		refs: refs.filter((line) => !/^refs\/(?:heads\/)?sparring\//.test(line)),
		files: Object.fromEntries(contents(repo.root, "")),
	};
}
