import type { Harness } from "../agents/harness/harness.ts";
import { assertNever } from "../kernel/assert-never.ts";

/** The coding agents that have an adapter of their own, in the order in which `spar init` prefers them. */
export const HARNESS_NAMES = ["claude", "codex", "gemini", "opencode"] as const;

/** Loads a harness when it is needed. */
export async function harnessOf(name: Harness["name"]): Promise<Harness> {
	switch (name) {
		case "claude":
			return (await import("../agents/claude/claude.ts")).claude;
		case "codex":
			return (await import("../agents/codex/codex.ts")).codex;
		case "gemini":
			return (await import("../agents/gemini/gemini.ts")).gemini;
		case "opencode":
			return (await import("../agents/opencode/opencode.ts")).opencode;
		default:
			return assertNever(name);
	}
}
