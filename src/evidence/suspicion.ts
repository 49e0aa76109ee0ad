import { sha256 } from "../kernel/json.ts";

/** What makes a change suspicious. */
export type SuspicionKind =
	/** A test of the base was rewritten, or is gone, and the base's own tests hold without the change. */
	| "test_changed"
	/** Data that tests read was changed. */
	| "test_data_changed"
	/** Something that a check runs or is configured by was changed. */
	| "check_changed";

/** A change that code alone cannot judge. Somebody has to answer it by its id. */
export interface Suspicion {
	/** The same for the same change in every turn, such as `"s-1f2e3d4c"`. */
	readonly id: string;
	readonly kind: SuspicionKind;
	readonly file: string;
	/** From 1, in the file as it is now, or as it was when it is gone; null when no line says it. */
	readonly line: number | null;
	/** What was changed: old lines after `-`, new lines after `+`. */
	readonly text: string;
}

/** A suspicion with its id. */
export function suspicion(about: Omit<Suspicion, "id">): Suspicion {
	const { kind, file, text } = about;
	return { id: `s-${sha256([kind, file, text].join("\n")).slice(0, 8)}`, ...about };
}

/** One paragraph about a suspicion, for people and prompts. */
export function suspicionText({ id, kind, file, line, text }: Suspicion): string {
	const place = line === null ? file : `${file}:${line}`;
	return `suspicion ${id}: ${place}: ${WHAT[kind]}\n${text}`;
}

const WHAT: Readonly<Record<SuspicionKind, string>> = {
	test_changed: "a test of the base was changed, and the product passes it as it was",
	test_data_changed:
		"data that tests read was changed, and the product passes them with the old data",
	check_changed: "what a check runs was changed, and the product passes it as it was",
};
