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

/** Names that somebody wants in the seats; one that is not found changes nothing. */
export interface Wanted {
	readonly player?: string | undefined;
	readonly coach?: string | undefined;
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
export function starterAgents(
	env: EnvironmentSource,
	{ player, coach }: Wanted = {},
): readonly StarterAgent[] {
	const found = candidates(env).map(named);
	const wanted = (name: string | undefined) => found.find((each) => each.name === name);
	const first = wanted(player) ?? found.find(({ name }) => name !== coach) ?? found[0];
	if (first === undefined) {
		const placeholder = { adapter: "command", env: [], found: false } as const;
		return [
			{ ...placeholder, name: "dev", run: ["your-agent", "--as", "player"] },
			{ ...placeholder, name: "reviewer", run: ["your-agent", "--as", "coach"] },
		];
	}
	const left = found.filter((each) => each !== first);
	const second = left.find(({ name }) => name === coach) ?? left[0];
	return [
		first,
		second ?? { ...first, name: "reviewer" },
		...left.filter((each) => each !== second),
	];
}
