import type { Json } from "../kernel/json.ts";
import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";

/** What independent tests said of the commit that a coach judges. */
export interface VerifiedWork {
	readonly verdict: string;
	/** Whether the task asked for them. */
	readonly required: boolean;
	/** One sentence each. */
	readonly reasons: readonly string[];
	readonly tests: readonly {
		readonly path: string;
		readonly name: string;
		readonly status: string;
	}[];
	/** Command of the tests; null where there are none. */
	readonly run: string | null;
	/** Output of their run, where the coach can read it; null without one. */
	readonly output_path: string | null;
}

const PASSED = `A verifier, who knows the task and the diff but not the player's words, wrote tests of its own. Sparring ran them on this commit, and they passed. They are not in your checkout; they land with the work. They show only what they test, so judge the criteria yourself. A "withdrawn" test no longer counts.`;

/** Independent verification for a coach's prompt; "" where the task asked for none. The names are the verifier's. */
export function verifiedText(verified: VerifiedWork | null): string {
	if (verified === null || !verified.required) return "";
	const { verdict, reasons, tests, run, output_path: output } = verified;
	if (verdict !== "passed")
		return `The task asks for independent tests. There are none: ${excerpt(reasons.join("; "), 500)}.`;
	const lines = [
		...reasons,
		...(run === null ? [] : [`run: ${run}`]),
		...tests.map(({ path, name, status }) => `${status}: ${name} (${path})`),
	];
	const file = output === null ? "" : `\n\nTheir output is in the file ${excerpt(output, 4_096)}`;
	return `${PASSED}\n\n${fenced("Tests", lines.join("\n"), 8_000)}${file}`;
}

/** The same for a coach's context. */
export function verifiedJson(verified: VerifiedWork | null): Json {
	if (verified === null) return null;
	const { verdict, required, reasons, tests, run, output_path } = verified;
	return { verdict, required, reasons, tests, run, output_path };
}
