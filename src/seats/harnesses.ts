import { join } from "node:path";
import { acpStep } from "../agents/acp/session-reader.ts";
import { claude } from "../agents/claude/claude.ts";
import { codex } from "../agents/codex/codex.ts";
import { gemini } from "../agents/gemini/gemini.ts";
import type { AgentStep } from "../agents/harness/agent-step.ts";
import type { Harness } from "../agents/harness/harness.ts";
import { opencode } from "../agents/opencode/opencode.ts";
import { jsonIn, textAt } from "../kernel/fields.ts";
import type { EnvironmentSource } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { HARNESSES, type HarnessName } from "../workflow/harnesses.ts";

const ADAPTERS: Readonly<Record<HarnessName, Harness>> = { claude, codex, gemini, opencode };

/** All of them, in the order in which `spar init` prefers them. */
export const ALL_HARNESSES: readonly Harness[] = HARNESSES.map((name) => ADAPTERS[name]);

export const harnessOf = (name: HarnessName): Harness => ADAPTERS[name];

export const programOf = ({ name }: Harness, env: EnvironmentSource): string | undefined =>
	findProgram(name, env["PATH"] ?? "", "/");

export const installedHarnesses = (env: EnvironmentSource): readonly HarnessName[] =>
	HARNESSES.filter((name) => programOf(ADAPTERS[name], env) !== undefined);

const OTHER_HOMES = [".qwen", ".copilot", ".config/github-copilot"];

// Absolute paths below the user's home directory, none without one.
export function agentHomes({ HOME: home = "" }: EnvironmentSource): readonly string[] {
	const homes = [...ALL_HARNESSES.flatMap((harness) => harness.homes), ...OTHER_HOMES];
	return home === "" ? [] : homes.map((place) => join(home, place));
}

// Folders that other programs share are none.
export const STORE_VARIABLES: readonly string[] = ALL_HARNESSES.flatMap(
	({ storeVariables }) => storeVariables,
).filter((name) => !name.startsWith("XDG_"));

/**
 * Steps that a line of an agent's transcript tells; undefined for a line that is no event, such as a program's own words.
 *
 * @example `{"type":"tool_use","tool_name":"read_file","parameters":{"path":"a.js"}}` reads `a.js`
 */
export function stepsIn(line: string): readonly AgentStep[] | undefined {
	const tool = acpStep(line);
	if (tool !== undefined) return tool;
	const event = line.startsWith("{") ? jsonIn(line) : undefined;
	if (textAt(event, "type") === null) return undefined;
	for (const harness of ALL_HARNESSES) {
		const found = harness.steps(event);
		if (found.length > 0) return found;
	}
	return [];
}
