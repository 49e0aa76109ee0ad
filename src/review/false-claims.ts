import { type FalseClaim, falseClaimText } from "../evidence/false-claim.ts";
import type { Json } from "../kernel/json.ts";
import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";

/** False claims for a prompt, below what is to be said of them; "" without any. The names in them are the player's. */
export function falseClaimsText(note: string, claims: readonly FalseClaim[]): string {
	if (claims.length === 0) return "";
	const texts = claims.map((claim) => `- ${excerpt(falseClaimText(claim), 300)}`);
	return `${note}\n\n${fenced("False claims", texts.join("\n"), 8_000)}`;
}

/** False claims for a context: each kind with what it names, and in words. */
export function falseClaimsJson(claims: readonly FalseClaim[]): Json {
	return claims.map((claim) => ({ ...claim, text: falseClaimText(claim) }));
}
