import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { holdsPassword } from "../kernel/holds-password.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const FILE = "sparring.yaml";

// Only then the file is parsed: commands that only look must be fast.
const MAYBE_STORE = /\bstore["']?\s*:/;

const NAMES_STORE = /^["']?store["']?[ \t]*:[ \t]*["']?postgres(?:ql)?:/m;

// A larger workflow file is refused anyway.
const MOST_BYTES = 1024 * 1024;

export interface NamedStore {
	/** Such as `"postgres://spar@db.example/sparring"`; null where none is named. Of SPAR_STORE it may hold a password. */
	readonly store: string | null;
	/** True where it stands in `sparring.yaml`, which must not hold a password. */
	readonly isStoreInFile: boolean;
	/** True where the file has an address that YAML does not read as one. */
	readonly isUnreadable: boolean;
}

/** The store that `SPAR_STORE` names, else the key `store` of `sparring.yaml`, as far as that file can be read. */
export function namedStore(root: string, env: Environment): NamedStore {
	const given = givenStore(env);
	if (given !== null) return { store: given, isStoreInFile: false, isUnreadable: false };
	const { store, isUnreadable } = storeInFile(join(root, FILE));
	return { store, isStoreInFile: store !== null, isUnreadable };
}

function givenStore({ SPAR_STORE: given = "" }: Environment): string | null {
	return given === "" ? null : given;
}

function storeInFile(path: string): Pick<NamedStore, "store" | "isUnreadable"> {
	let text = "";
	try {
		const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
		if (size <= MOST_BYTES) text = readFileSync(path, "utf8");
		const store = MAYBE_STORE.test(text) ? storeInText(text) : null;
		return { store, isUnreadable: store === null && NAMES_STORE.test(text) };
	} catch {
		// The loader says what is wrong with the file.
		return { store: null, isUnreadable: NAMES_STORE.test(text) };
	}
}

// Also of a file that is half written.
function storeInText(text: string): string | null {
	const { parseDocument } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
	const value: unknown = parseDocument(text, { merge: true, uniqueKeys: false }).toJS();
	const store: unknown = Reflect.get(Object(value), "store");
	return typeof store === "string" && store !== "" ? store : null;
}

/**
 * The address to connect to; null where none is named.
 *
 * @throws Fault `usage` where it stands in the workflow file with a password, which is not repeated, or cannot be read there
 */
export function usableStore({ store, isStoreInFile, isUnreadable }: NamedStore): string | null {
	if (isUnreadable)
		throw new Fault(`${FILE} names a store that cannot be read`, {
			code: "usage",
			hint: `Quote the address, and see what else is wrong in the file: spar validate ${FILE}`,
		});
	if (store === null || !isStoreInFile || !holdsPassword(store)) return store;
	throw new Fault(`the store in ${FILE} must not contain a password`, {
		code: "usage",
		hint: "Give it outside of the file: in SPAR_STORE, in PGPASSWORD, or in a passfile (~/.pgpass).",
	});
}

/**
 * Refuses a workflow that names another store than the one that commands use here: its runs would not be found where it
 * says. `SPAR_STORE` takes precedence over every file.
 *
 * @param named what the workflow says
 * @param used what `sparring.yaml` says
 * @throws Fault `usage`
 */
export function requireSameStore(
	named: string | undefined,
	used: string | null,
	env: Environment,
): void {
	if (named === undefined || named === used || givenStore(env) !== null) return;
	const instead = used === null ? "no store" : "another one";
	throw new Fault(`the workflow names the store ${named}, but ${FILE} names ${instead}`, {
		code: "usage",
		hint: `Set SPAR_STORE=${named} for this and all later commands, or name that store in ${FILE}.`,
	});
}
