import type { JSX } from "preact";
import type { Refusal } from "../net/api.ts";

/** Why something cannot be shown or done, and what to do next. */
export function Refused({ refusal }: { readonly refusal: Refusal | null }): JSX.Element | null {
	if (refusal === null) return null;
	const { message, hint } = refusal.problem;
	return (
		<div class="notice bad" role="alert">
			<p>{message}</p>
			{hint !== null && <p class="dim">{hint}</p>}
		</div>
	);
}
