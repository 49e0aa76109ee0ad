/** A suspicion as traces and reports keep it. */
export interface SuspectedPlace {
	readonly id: string;
	/** Left out by older versions, whose `kind` is the rule. */
	readonly rule?: string;
	readonly kind: string;
	readonly file: string;
	/** From 1; null when no line says it. */
	readonly line: number | null;
}

/** A suspicion with what was said of it. */
export interface AnsweredPlace extends SuspectedPlace {
	/** null: nobody answered. */
	readonly ok: boolean | null;
	readonly reason: string | null;
	readonly by: "coach" | "person" | null;
}
