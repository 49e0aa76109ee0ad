import { type Fields, isFields, jsonIn, textAt } from "../kernel/fields.ts";
import type { AgentFailure } from "../kernel/roles.ts";
import { crashOf, failureOf } from "./failure-of.ts";
import { quote } from "./quote.ts";

// `retry`: its request failed, and it tries again, because of a limit or not. `noise`: neither that nor progress.
export type LineNews =
	| {
			readonly kind: "retry";
			readonly said: string;
			readonly isLimit: boolean;
			/** Not by the program itself, as far as is known: it is only told. */
			readonly isAside?: true;
	  }
	| { readonly kind: "progress" | "noise" };

const PROGRESS: LineNews = { kind: "progress" };
const NOISE: LineNews = { kind: "noise" };

const AGAIN =
	/\b(?:re-?connecting|re-?connection attempt|re-?trying|(?:will|to) re-?try|trying again|re-?try (?:attempt )?(?:#?\d|in\b))/i;
// A count, a wait or a dotted end, which a sentence about retries does not have.
const UNDER_WAY = /\d+ ?(?:\/|of) ?\d+|\bin \d|\b(?:attempt|retry) #?\d|\.\.\.|…/i;
const OF_REQUEST =
	/\b(?:re-?connect\w*|api|stream|connect\w*|provider|server|network|request)\b|^\W*(?:retrying|trying again) in \d/i;
const OF_ERROR = /\b(?:\w*error|failed|failure|cannot|could not|unable)\b/i;
const LOOKED_AT = 10_000;
const STYLES = /\p{Cc}\[[\d;?]*[a-z]/giu;

const isOfRequest = (cause: AgentFailure | null): boolean =>
	cause === "network" || cause === "unavailable";

function retry(text: string): Extract<LineNews, { readonly kind: "retry" }> {
	const failure = failureOf({ text });
	const isLimit = failure === "rate_limit" || failure === "quota_exhausted";
	return { kind: "retry", said: quote(text), isLimit };
}

function eventNews(event: Fields): LineNews {
	const type = textAt(event, "type");
	if (type === "system") {
		if (textAt(event, "subtype") !== "api_retry") return NOISE;
		const number = (key: string, otherwise: string): string =>
			typeof event[key] === "number" ? String(event[key]) : otherwise;
		const status = number("error_status", "");
		const nth = `retry ${number("attempt", "1")}/${number("max_retries", "?")}`;
		return retry(`${nth} (${textAt(event, "error") ?? "unknown"} ${status})`.replace(" )", ")"));
	}
	const isErrorItem = textAt(event, "item", "type") === "error";
	if (type !== "error" && !isErrorItem) return PROGRESS;
	const said = textAt(isErrorItem ? event["item"] : event, "message") ?? "";
	return AGAIN.test(said) || (isErrorItem && isOfRequest(crashOf(said))) ? retry(said) : NOISE;
}

// Aside: the program tells of its work by JSON lines, so that a plain one is no progress.
function plainNews(line: string, isAside: boolean): LineNews {
	const cause = crashOf(line);
	if (AGAIN.test(line)) {
		const isOne = cause !== null || (OF_REQUEST.test(line) && UNDER_WAY.test(line));
		// Beside events it may be of a server that the agent uses: that ends no call.
		if (isOne) return isAside ? { ...retry(line), isAside } : retry(line);
	}
	if (isAside) return NOISE;
	if (OF_ERROR.test(line) && isOfRequest(cause)) return retry(line);
	return OF_ERROR.test(line) ? NOISE : PROGRESS;
}

/**
 * Reads the lines of one call, whichever program prints them: events of coding agents by their types, plain lines by
 * their words.
 *
 * @example `Reconnecting... 2/5` is a retry
 */
export class RetryLines {
	#speaksJson = false;

	read(line: string): LineNews {
		// What is indented goes with the line above it, such as a stack trace.
		if (line === "" || /^\s/.test(line)) return NOISE;
		const event = line.startsWith("{") ? jsonIn(line) : undefined;
		if (!isFields(event))
			return plainNews(line.replaceAll(STYLES, "").slice(0, LOOKED_AT), this.#speaksJson);
		this.#speaksJson = true;
		return eventNews(event);
	}
}
