import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Checkout, CheckoutPlace } from "../git/checkout.ts";

/** More are not kept: so many merges are tested at the same time. */
const MOST = 4;

/**
 * Checkouts of a run in which a merge was tested that has landed. The next merge takes one over and changes what
 * differs, instead of writing all files again.
 */
export class SpareCheckouts {
	readonly #directory: string;
	#spare: readonly CheckoutPlace[] = [];
	#count = 0;

	/** @param directory absolute; of this process and run alone. Made when the first one is left */
	constructor(directory: string) {
		this.#directory = directory;
	}

	/** Leaves a checkout that nobody needs any more. Where it cannot be moved, it stays where it is. */
	leave(checkout: Checkout): void {
		if (this.#spare.length >= MOST) return;
		this.#count += 1;
		const name = join(this.#directory, String(this.#count));
		const place = { dir: name, indexFile: `${name}.index` };
		try {
			mkdirSync(this.#directory, { recursive: true });
			checkout.moveTo(place);
		} catch {
			// It is gone, or only a part of it was moved: what is not whole is not taken.
			return;
		}
		this.#spare = [...this.#spare, place];
	}

	/** Makes a checkout of a commit out of a spare one. Without one, or where that fails, it is removed. */
	async give(checkout: Checkout, commit: string): Promise<void> {
		const [place, ...others] = this.#spare;
		this.#spare = others;
		if (place === undefined) return await checkout.remove();
		try {
			await checkout.takeOver(place, commit);
		} catch {
			// A new checkout says what is wrong, if it is more than this directory.
			await checkout.remove();
		}
	}
}
