import { fieldsOf, listOf, wordsOf } from "../../kernel/fields.ts";
import type { Rights } from "../rights.ts";

export interface AskedPermission {
	// As the protocol names them; permission is given only if every one of them is allowed.
	readonly kinds: readonly (string | null)[];
	readonly paths: "none" | "inside" | "outside";
	readonly options: unknown;
}

export interface PermissionAnswer {
	// Null: none of the list fits, and the request is called off.
	readonly optionId: string | null;
	readonly refused: string | null;
}

const LOOKING: ReadonlySet<string> = new Set(["read", "search", "think"]);
export const CHANGING: ReadonlySet<string> = new Set(["edit", "delete", "move"]);
// A seat that may run any command may also do these.
const RUNNING: ReadonlySet<string> = new Set(["execute", "fetch", "switch_mode"]);

function refusal(
	rights: Rights,
	kind: string | null,
	paths: AskedPermission["paths"],
): string | null {
	if (kind === null) return "a tool of unknown kind";
	if (!LOOKING.has(kind) && !CHANGING.has(kind) && !RUNNING.has(kind)) {
		return `tools of kind ${kind.slice(0, 40)}`;
	}
	if (CHANGING.has(kind) && rights === "read") return "this seat only reads";
	if (RUNNING.has(kind) && rights !== "write") return "this seat runs no commands";
	// A command reaches what it likes, whatever it names: only a sandbox confines it.
	if (paths === "outside" && !RUNNING.has(kind)) return "outside the checkout";
	if (CHANGING.has(kind) && paths === "none") return "it names no file";
	return null;
}

function optionOf(options: unknown, kinds: readonly string[]): string | null {
	const known = listOf(options).map(fieldsOf);
	for (const kind of kinds) {
		const id = wordsOf(known.find((option) => option["kind"] === kind)?.["optionId"]);
		if (id !== null) return id;
	}
	return null;
}

/**
 * Answers an agent's permission request by the rights of its seat. Who may write or is restricted may change files of
 * the checkout; only who may write runs commands. A tool that looks or changes is refused what lies outside, and every
 * kind that is not known is refused. Permission is given once, never permanently.
 */
export function answerPermission(rights: Rights, asked: AskedPermission): PermissionAnswer {
	const kinds = asked.kinds.length === 0 ? [null] : asked.kinds;
	const refused = kinds
		.map((kind) => refusal(rights, kind, asked.paths))
		.find((reason) => reason !== null);
	if (refused === undefined) {
		const optionId = optionOf(asked.options, ["allow_once"]);
		if (optionId !== null) return { optionId, refused: null };
	}
	return {
		optionId: optionOf(asked.options, ["reject_once", "reject_always"]),
		refused: refused ?? "it offers no one-time permission",
	};
}
