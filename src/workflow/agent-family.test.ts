import fc from "fast-check";
import { expect, test } from "vitest";
import { familyOf } from "./kinship.ts";

const agent = (adapter: unknown, model?: string, run: readonly string[] = []) => ({
	adapter,
	model,
	run,
});

test.each([
	["anthropic", agent("claude", "sonnet")],
	["openai", agent("codex")],
	["google", agent("gemini", "gemini-2.5-pro")],
	["google", agent("model", "google/gemini-flash-latest")],
	["anthropic", agent("model", "anthropic/claude-sonnet-4-5")],
	["openai", agent("model", "openai-compatible/openai/gpt-oss")],
	["anthropic", agent("opencode", "anthropic/claude-sonnet-4-5")],
	["google", agent("opencode", "openrouter/google/gemini-2.5-pro")],
	["google", agent("acp", undefined, ["/opt/bin/gemini", "--acp"])],
	["anthropic", agent("acp", undefined, ["claude-code-acp"])],
	["anthropic", agent("acp", undefined, ["claude-agent-acp"])],
	["openai", agent("acp", undefined, ["npx", "-y", "@agentclientprotocol/codex-acp@1.2.3"])],
	["openai", agent("acp", "openai/gpt-5", ["opencode", "acp"])],
])("%s stands behind %j", (family, definition) => {
	expect(familyOf(definition)).toBe(family);
});

test.each([
	["a program of the user's, whatever it is called", agent("command", undefined, ["gemini"])],
	["a recording", agent("cassette")],
	["opencode that chooses by itself", agent("opencode")],
	["a server of one's own", agent("model", "openai-compatible/qwen3-coder")],
	["one who sells several makers' models", agent("opencode", "github-copilot/gpt-5")],
	["a program of the protocol that asks anybody", agent("acp", undefined, ["goose", "acp"])],
	["an argument that only looks like a program", agent("acp", undefined, ["mine", "gemini"])],
	["a starter that is told nothing", agent("acp", undefined, ["npx", "-y"])],
	["no program at all", agent("acp")],
	["a name of the language's own", agent("toString", "constructor/x", ["__proto__"])],
])("nobody knows who stands behind %s", (_name, definition) => {
	expect(familyOf(definition)).toBeNull();
});

test("whatever a file holds gives a maker or null", () => {
	const words = fc.string({ maxLength: 20 });
	const adapters = fc.constantFrom<unknown>("acp", "model", "opencode", "claude", 7, null, {});
	fc.assert(
		fc.property(
			adapters,
			fc.option(words, { nil: undefined }),
			fc.array(words, { maxLength: 4 }),
			(...given) => {
				expect(["anthropic", "openai", "google", null]).toContain(familyOf(agent(...given)));
			},
		),
	);
});
