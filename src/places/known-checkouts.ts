import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface HomePlaces {
	readonly root: string;
	readonly stateDir: string;
	readonly checkoutsParent: string;
}

export const ID_FILE = "repository-id";

/** A name, and random characters. */
export const ID = /^[A-Za-z0-9._-]{1,100}-[0-9a-z]{12}$/;

// Null when none of its runs made a checkout yet.
export function idOf(root: string): string | null {
	try {
		const id = readFileSync(join(root, ".sparring", ID_FILE), "utf8").trim();
		return ID.test(id) ? id : null;
	} catch {
		return null;
	}
}

/** The directory of the checkouts as the repository's id names it; null without one. Creates nothing. */
export function knownCheckouts({ root, checkoutsParent }: HomePlaces): string | null {
	const id = idOf(root);
	return id === null ? null : join(checkoutsParent, id);
}
