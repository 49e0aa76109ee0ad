import { type Fields, fieldsOf, isFields } from "../fields.ts";
import { wholeWords } from "../quote.ts";

/** What an error of a request says about the provider's answer, as far as it says anything. */
export interface ApiError {
	/** HTTP status. */
	readonly status: number | undefined;
	/** Messages, codes and the answer's body, one after another; never headers or the request. */
	readonly text: string;
	/** What it says, the outermost error first, in one line of at most 500 characters. */
	readonly message: string;
	/** How long the provider asks to be left alone, by a header of its answer. */
	readonly retryAfterMs: number | undefined;
}

/** Errors wrap each other; more than so many say nothing new, and they could go round in a circle. */
const MAX_DEPTH = 6;

/** A body that is longer says nothing more; in characters. */
const MAX_BODY = 20_000;

/** A message quotes at most so much, in characters. */
const MAX_MESSAGE = 500;

const wordsIn = (value: unknown): string =>
	typeof value === "string" || typeof value === "number" ? String(value).slice(0, MAX_BODY) : "";

/** An error and what it wraps, the outermost first; at most six of them. */
export function errorChain(error: unknown): Fields[] {
	const chain: Fields[] = [];
	let next: unknown = error;
	for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
		if (!isFields(next)) break;
		chain.push(next);
		next = next["cause"] ?? next["lastError"] ?? next["error"];
	}
	return chain;
}

const inMs = (value: string, unit: number): number | undefined => {
	const ms = Number(value) * unit;
	return value.trim() !== "" && Number.isFinite(ms) && ms >= 0 ? ms : undefined;
};

/** Seconds, or a date. */
function retryAfter(value: string, now: number): number | undefined {
	const seconds = inMs(value, 1_000);
	if (seconds !== undefined) return seconds;
	// A number that is no wait would be read as a year.
	const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function asked(fields: Fields, now: number): number | undefined {
	const headers = fieldsOf(fields["responseHeaders"]);
	const exact = inMs(wordsIn(headers["retry-after-ms"]), 1);
	if (exact !== undefined) return exact;
	return retryAfter(wordsIn(headers["retry-after"]), now);
}

const oneLine = (text: string): string =>
	wholeWords(text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(), MAX_MESSAGE);

function jsonOf(value: unknown): string {
	try {
		// A function or a symbol gives undefined, whatever the declared type says.
		return String(JSON.stringify(value)).slice(0, MAX_BODY);
	} catch {
		return "";
	}
}

/**
 * Reads whatever a request was broken off by: an error of the SDK, of the network, or a piece of the stream that says
 * so. Wrapped errors are looked into.
 *
 * @param now milliseconds since the epoch, against which a Retry-After with a date is measured
 * @example an answer 429 with `retry-after: 7` gives `status` 429 and `retryAfterMs` 7000
 */
export function apiError(error: unknown, now: number): ApiError {
	const chain = errorChain(error);
	const said = chain.flatMap((fields) => [
		...["name", "message", "code", "type", "responseBody"].map((name) => wordsIn(fields[name])),
		...(fields["data"] === undefined ? [] : [jsonOf(fields["data"])]),
	]);
	const status = chain.map((fields) => fields["statusCode"]).find(Number.isInteger);
	const messages = [...chain.map((fields) => wordsIn(fields["message"])), wordsIn(error)].map(
		oneLine,
	);
	const different = messages.filter(
		(text, at) => text !== "" && !messages.slice(0, at).some((before) => before.includes(text)),
	);
	const message = oneLine(different.join(": "));
	return {
		status: typeof status === "number" ? status : undefined,
		text: [...said, wordsIn(error)].filter((text) => text !== "").join("\n"),
		message: message === "" ? "an error without a message" : message,
		retryAfterMs: chain.map((fields) => asked(fields, now)).find((ms) => ms !== undefined),
	};
}
