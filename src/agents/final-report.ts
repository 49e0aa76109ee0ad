import { lastJsonObject } from "./last-json.ts";

/**
 * The report in an agent's final message: its last JSON object, with or without talk around it. A message without one
 * is handed in as it is, so that whoever reads it can say what is wrong with it.
 *
 * @returns null for a message without any text
 * @example `reportIn('Done.\n{"decision": "approve"}')` is `'{"decision": "approve"}'`
 */
export function reportIn(message: string): string | null {
	const text = message.trim();
	return text === "" ? null : (lastJsonObject(text) ?? text);
}
