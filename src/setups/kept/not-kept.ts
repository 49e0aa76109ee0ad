import { formatBytes } from "../../kernel/bytes.ts";
import type { KeptLimits } from "./listing.ts";

/** Reason why the result of a setup is not kept. Paths are relative to the checkout. */
export type NotKept =
	/** It holds the path of the checkout, and could not be used elsewhere. */
	| { readonly kind: "own_path"; readonly path: string }
	| ({ readonly kind: "too_large" } & KeptLimits)
	/** It leaves a file that git does not ignore. */
	| { readonly kind: "not_ignored"; readonly path: string }
	/** Its effect is elsewhere, such as in a download cache. */
	| { readonly kind: "nothing_ignored" }
	/** It fetches a submodule, which is not ignored and not kept. */
	| { readonly kind: "submodule"; readonly path: string }
	/** Nothing can be kept there: read-only, full, or in somebody's way. */
	| { readonly kind: "unwritable"; readonly why: string }
	/** What was kept is not as it was. It is made again. */
	| { readonly kind: "damaged"; readonly why: string };

/** The reason for a person, as the end of a sentence. */
export function notKeptText(reason: NotKept): string {
	switch (reason.kind) {
		case "own_path":
			return `${reason.path} holds the path of the checkout`;
		case "too_large":
			return `it is larger than ${formatBytes(reason.bytes)} or ${reason.files} files`;
		case "not_ignored":
			return `it leaves ${reason.path}, which git does not ignore`;
		case "nothing_ignored":
			return "it leaves nothing in the checkout that git ignores";
		case "submodule":
			return `it fetches the submodule ${reason.path}`;
		case "unwritable":
			return `it could not be written: ${reason.why}`;
		case "damaged":
			return `what was kept is damaged (${reason.why})`;
	}
}
