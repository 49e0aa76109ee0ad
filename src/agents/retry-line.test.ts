import { expect, test } from "vitest";
import { RetryLines } from "./retry-line.ts";

const STARTED = JSON.stringify({ type: "thread.started", thread_id: "0" });
const json = (event: unknown): readonly string[] => [STARTED, JSON.stringify(event)];
const last = (lines: readonly string[]) => {
	const reader = new RetryLines();
	return lines.map((line) => reader.read(line)).at(-1);
};
const claude = (error_status: number | null, error: string) =>
	json({
		type: "system",
		subtype: "api_retry",
		attempt: 2,
		max_retries: 10,
		retry_delay_ms: 1_100,
		error_status,
		error,
	});

test.each([
	["codex", json({ type: "error", message: "Reconnecting... 2/5 (stream disconnected)" })],
	["codex, no cause", json({ type: "error", message: "Reconnecting... 1/5" })],
	[
		"codex, another transport",
		json({
			type: "item.completed",
			item: { id: "item_0", type: "error", message: "Falling back: stream disconnected" },
		}),
	],
	["claude", claude(null, "unknown")],
	["claude, 500", claude(500, "server_error")],
	["codex, text", ["stream error: error sending request; retrying 2/5 in 387ms…"]],
	["gemini", [STARTED, "Attempt 3 failed with status 503. Retrying with backoff... ApiError: {"]],
	["claude, text", ["API Error (Connection error.) · Retrying in 4 seconds… (attempt 3/10)"]],
	["aider", ["Retrying in 0.5 seconds..."]],
	["styled", ["\u001b[33mReconnecting...\u001b[0m 3/5"]],
	["a plain error", ["Error: getaddrinfo ENOTFOUND api.example.com"]],
	["a script", ["connection lost, trying again (3/10)"]],
])("a program that tries again is understood: %s", (_name, lines) => {
	expect(last(lines)).toMatchObject({ kind: "retry", isLimit: false });
});

test.each([
	["claude", claude(429, "rate_limit")],
	["codex", json({ type: "error", message: "Reconnecting... 2/5 (429 Too Many Requests)" })],
	["text", ["rate limit reached; retrying in 20s"]],
])("a retry after a limit of the account is no failure of the network: %s", (_name, lines) => {
	expect(last(lines)).toMatchObject({ kind: "retry", isLimit: true });
});

test.each([
	["an answer about retries", json({ type: "item.completed", item: { type: "agent_message" } })],
	["a quoted one", json({ type: "assistant", message: { text: "Reconnecting... 1/5" } })],
	["a sentence", ["I added retrying to the client of the API."]],
	["a test that is run again", ["retrying test 2/3"]],
	["a list", ["null", "[1]"]],
	["words", ["All tests pass."]],
])("what is no retry is progress: %s", (_name, lines) => {
	expect(last(lines)).toEqual({ kind: "progress" });
});

test.each([
	["a stack trace", ["    at connect (net.js:1:1)"]],
	["an empty line", [""]],
	["another error", ["error: exited with 1"]],
	["a broken event", [STARTED, '{"type":']],
	["a warning beside events", [STARTED, "ERROR plugins: fetch failed"]],
	["a status", json({ type: "system", subtype: "status" })],
	["the last error", json({ type: "error", message: "no such model" })],
	["an error without words", json({ type: "error", error: { name: "UnknownError" } })],
])("what tells nothing of the work is neither: %s", (_name, lines) => {
	expect(last(lines)).toEqual({ kind: "noise" });
});
