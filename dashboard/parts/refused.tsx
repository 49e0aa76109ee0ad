import type { JSX } from "preact";
import type { Refusal } from "../net/api.ts";
import type { Resource } from "../net/resource.ts";

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

export function Reading({
	of,
	what,
}: {
	readonly of: Pick<Resource<unknown>, "refusal">;
	readonly what: string;
}): JSX.Element {
	const refusal = of.refusal.value;
	return refusal === null ? <p class="dim">Reading {what} …</p> : <Refused refusal={refusal} />;
}
