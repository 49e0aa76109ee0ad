import { oneLine } from "../words/visible-text.ts";
import { renderUntried } from "./render-attempts.ts";
import type { RunEvent } from "./run-event.ts";

type Data<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];

/** Longest text of a finding, and longest rationale, in a line. In characters. */
const MAX_TEXT = 300;

/** Longest list of reasons in a line. In characters. */
const MAX_REASONS = 400;

const after = (text: string): string => (text === "" ? "" : `: ${oneLine(text, MAX_TEXT)}`);

function placeOf({ file, line }: Data<"finding-changed">): string {
	if (file === undefined) return "";
	return `, ${oneLine(line === undefined ? file : `${file}:${line}`)}`;
}

/**
 * What became of a finding. Its text stands where it is raised, and where it is open again.
 *
 * @example `"finding F1, major, src/limiter.js:12: the bucket is never refilled"`, later `"F1 is fixed"`
 */
export function renderFindingChange(change: Data<"finding-changed">): string {
	const { finding, state, severity, issue, blocking, argument } = change;
	const said = after(argument?.text ?? "");
	const id = oneLine(finding);
	switch (state) {
		case "open": {
			const free = blocking ? "" : ", does not block";
			return `finding ${id}, ${severity}${placeOf(change)}${free}${after(issue)}`;
		}
		case "reopened":
			return `${id} is open again, ${severity}${placeOf(change)}${after(issue)}`;
		case "disputed":
			return `the player disputes ${id}${said}`;
		case "upheld":
			return `${id} is upheld${said}`;
		default:
			return `${id} is ${oneLine(state)}${said}`;
	}
}

/**
 * What a turn came to. Findings have lines of their own, so the coach's own words stand here; reasons only where they
 * make another verdict of them, or where it gave no words.
 */
export function renderVerdict(judged: Data<"turn-judged">): string {
	const { raw, effective, reasons, rationale, attempts } = judged;
	const untried = renderUntried(raw, attempts);
	const listed = reasons.length === 0 ? "" : `: ${oneLine(reasons.join("; "), MAX_REASONS)}`;
	if (raw !== null && raw === effective) {
		const words = rationale.trim() === "" ? listed : `; the coach says${after(rationale)}`;
		return `verdict ${effective}${untried}${words}`;
	}
	const said = raw === null ? untried : ` (the coach said ${raw}${untried})`;
	return `verdict ${effective ?? "none"}${said}${listed}`;
}
