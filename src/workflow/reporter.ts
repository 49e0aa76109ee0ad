import { type Diagnostic, sortDiagnostics } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Locate, Within } from "./yaml-source.ts";

/** Collects what is wrong while a file is read, each at the place of a field. */
export class Reporter {
	readonly #locate: Locate;
	readonly #errors: Diagnostic[] = [];
	readonly #warnings: Diagnostic[] = [];

	constructor(locate: Locate) {
		this.#locate = locate;
	}

	error(field: Field, message: string, hint?: string, within?: Within): void {
		this.#errors.push({ ...this.#locate(field.path, "value", within), message, hint });
	}

	keyError(field: Field, message: string, hint?: string): void {
		this.#errors.push({ ...this.#locate(field.path, "key"), message, hint });
	}

	warning(field: Field, message: string, hint?: string): void {
		this.#warnings.push({ ...this.#locate(field.path, "key"), message, hint });
	}

	add(errors: readonly Diagnostic[], warnings: readonly Diagnostic[]): void {
		for (const each of errors) this.#errors.push(each);
		for (const each of warnings) this.#warnings.push(each);
	}

	result(): { readonly errors: Diagnostic[]; readonly warnings: Diagnostic[] } {
		return { errors: sortDiagnostics(this.#errors), warnings: sortDiagnostics(this.#warnings) };
	}
}
