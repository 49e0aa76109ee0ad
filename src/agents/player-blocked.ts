import { z } from "zod";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import { parseReport } from "./parse-report.ts";

const REASONS = ["task", "test", "environment", "permission"] as const;

// A person reads all of it. The longest text is in UTF-16 code units.
const MOST = 20;
const LONGEST = 2_000;

const shown = (text: string): string => text.trim().slice(0, LONGEST).toWellFormed();

const text = z.string().catch("").transform(shown);

// Words by which an agent fills in a field that does not apply.
const NOTHING = /^(?:no(?:ne|thing)?|null|false|n\/?a|-*)\.?$/i;

function plain(value: unknown): unknown {
	if (Array.isArray(value)) return plain(value[0] ?? null);
	if (typeof value !== "string") return value;
	return NOTHING.test(value.trim()) ? null : { what: value };
}

const stopped = z.object({
	// Who stops for another reason than these has a question about its task.
	reason: z.enum(REASONS).catch("task"),
	what: text,
	evidence: z
		.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.unknown()))
		.catch([])
		.transform((list) =>
			list
				.slice(0, MOST)
				.map((one) => shown(typeof one === "string" ? one : JSON.stringify(one)))
				.filter((one) => one !== ""),
		),
	proposal: text,
});

const report = z.looseObject({
	blocked: z.preprocess(plain, stopped.nullish().catch(null)),
});

/**
 * Reads `blocked` of a player's report; null where it says nothing. Read apart from the other fields, so that a
 * mistake in one of them does not take the word from a player that stops.
 *
 * @param source the report's text; null when there was none
 */
export function blockedOf(source: string | null): PlayerBlocked | null {
	const parsed = parseReport({ text: source, problem: undefined }, report);
	return parsed.ok ? (parsed.report.blocked ?? null) : null;
}
