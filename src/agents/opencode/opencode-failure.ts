import { providerFailure } from "../failure-of.ts";
import { countAt, fieldAt, fieldsOf, textAt } from "../fields.ts";
import type { HarnessEnd, Spent } from "../harness/harness.ts";
import { lastLine } from "../last-line.ts";

/** What it says when it will not say what happened, such as for a model that it does not know. */
const OWN_ERROR = /unexpected server error\. check server logs for details\.?/i;

/** A header of the provider's answer, as a number of ms. */
function retryAfter(data: unknown): number | undefined {
	for (const [name, value] of Object.entries(fieldsOf(fieldAt(data, "responseHeaders")))) {
		const count = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
		if (!Number.isFinite(count) || count < 0) continue;
		if (/^retry-after-ms$/i.test(name)) return Math.round(count);
		if (/^retry-after$/i.test(name)) return Math.round(count * 1_000);
	}
	return undefined;
}

/**
 * The end of a call by an event `error`, with which opencode gives up: `{ name, data: { message, statusCode,
 * responseHeaders, responseBody } }`.
 */
export function opencodeFailure(error: unknown, spent: Spent | null): HarnessEnd {
	const name = textAt(error, "name") ?? "error";
	const data = fieldAt(error, "data");
	const said = textAt(data, "message") ?? textAt(error, "message") ?? "";
	const body = textAt(data, "responseBody") ?? "";
	const text = [name, said.replace(OWN_ERROR, ""), body]
		.map((part) => part.slice(0, 10_000))
		.join("\n");
	const status = countAt(data, "statusCode") ?? undefined;
	const failure = providerFailure({ status, text, retryAfterMs: retryAfter(data) });
	const line = lastLine(said);
	const message = `opencode failed (${lastLine(name)})${line === "" ? "" : `: ${line}`}`;
	return { kind: "failed", ...failure, message, spent };
}
