import type { Path } from "../kernel/fields.ts";
import { type Diagnostic, sortDiagnostics } from "./diagnostic.ts";
import type { FileDraft, TaskDraft } from "./draft.ts";
import type { Agents } from "./kinship.ts";
import type { Locate, Within } from "./yaml-source.ts";

/** A file as its rules read it: with its tasks in the order in which they are written. */
export interface RuleInput {
	readonly file: FileDraft;
	readonly tasks: readonly TaskDraft[];
	readonly agents: Agents;
	readonly report: Reporter;
}

/** Collects what is wrong while a file is read, each at the place of a key or its value. */
export class Reporter {
	readonly #locate: Locate;
	readonly #errors: Diagnostic[] = [];
	readonly #warnings: Diagnostic[] = [];

	constructor(locate: Locate) {
		this.#locate = locate;
	}

	error(path: Path, message: string, hint?: string, within?: Within): void {
		this.#errors.push({ ...this.#locate(path, "value", within), message, hint });
	}

	keyError(path: Path, message: string, hint?: string): void {
		this.#errors.push({ ...this.#locate(path, "key"), message, hint });
	}

	warning(path: Path, message: string, hint?: string): void {
		this.#warnings.push({ ...this.#locate(path, "key"), message, hint });
	}

	add(errors: readonly Diagnostic[], warnings: readonly Diagnostic[]): void {
		for (const each of errors) this.#errors.push(each);
		for (const each of warnings) this.#warnings.push(each);
	}

	result(): { readonly errors: Diagnostic[]; readonly warnings: Diagnostic[] } {
		return { errors: sortDiagnostics(this.#errors), warnings: sortDiagnostics(this.#warnings) };
	}
}
