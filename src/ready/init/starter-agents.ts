import { signInVariables } from "../../agents/harness/sign-in.ts";
import type { EnvironmentSource } from "../../process/environment.ts";
import { findChildProgram } from "../../process/find-program.ts";
import { harnessOf, installedHarnesses } from "../../seats/harnesses.ts";
import { HARNESSES, type HarnessName } from "../../workflow/harnesses.ts";
import { familyOf } from "../../workflow/kinship.ts";

export interface StarterAgent {
	// That of its program; of one that takes both seats the second is `reviewer`.
	readonly name: string;
	readonly adapter: HarnessName | "acp" | "command";
	// Null for an adapter that knows its program itself.
	readonly run: readonly string[] | null;
	readonly env: readonly string[];
	readonly found: boolean;
}

type UnnamedAgent = Omit<StarterAgent, "name">;

const ACP_PROGRAMS: readonly (readonly [string, ...string[]])[] = [
	["qwen", "--acp"],
	["goose", "acp"],
	["copilot", "--acp", "--no-auto-update"],
	["claude-agent-acp"],
	["codex-acp"],
];

/** Programs that `spar init` looks for on the PATH. */
export const KNOWN_AGENTS: readonly string[] = [
	...HARNESSES,
	...ACP_PROGRAMS.map(([program]) => program),
];

// Of agents whose models have the same maker, as far as that is known, the first.
function onePerFamily(found: readonly UnnamedAgent[]): readonly UnnamedAgent[] {
	const seen = new Set<string>();
	return found.filter(({ adapter, run }) => {
		const family = familyOf({ adapter, run: run ?? [], model: undefined });
		if (family === null) return true;
		const isNew = !seen.has(family);
		seen.add(family);
		return isNew;
	});
}

const named = (agent: UnnamedAgent): StarterAgent => ({
	...agent,
	name: agent.run?.[0] ?? agent.adapter,
});

function candidates(env: EnvironmentSource): readonly UnnamedAgent[] {
	const native = installedHarnesses(env).map((adapter) => {
		const variables = signInVariables(env, harnessOf(adapter));
		return { adapter, run: null, env: variables, found: true };
	});
	const spoken = ACP_PROGRAMS.filter(([program]) => findChildProgram(program, env).file);
	return onePerFamily([
		...native,
		...spoken.map((run) => ({ adapter: "acp" as const, run, env: [], found: true })),
	]);
}

/**
 * One agent for each coding agent on the PATH: first the player, then the coach, then those without a seat. The two
 * seats have models of different makers; a single coding agent takes both. Without any there is a placeholder in each.
 */
export function starterAgents(env: EnvironmentSource): readonly StarterAgent[] {
	const [first, second, ...others] = candidates(env);
	if (first === undefined) {
		const placeholder = { adapter: "command", env: [], found: false } as const;
		return [
			{ ...placeholder, name: "dev", run: ["your-agent", "--as", "player"] },
			{ ...placeholder, name: "reviewer", run: ["your-agent", "--as", "coach"] },
		];
	}
	return [
		named(first),
		second === undefined ? { ...first, name: "reviewer" } : named(second),
		...others.map(named),
	];
}
