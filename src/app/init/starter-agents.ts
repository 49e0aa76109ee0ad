import { findProgram } from "../../process/find-program.ts";
import { HARNESS_NAMES, harnessOf } from "../harnesses.ts";

/** An agent of the starter file. */
export interface StarterAgent {
	readonly name: "dev" | "reviewer";
	readonly adapter: (typeof HARNESS_NAMES)[number] | "acp" | "command";
	/** Program and arguments; null for an adapter that knows them itself. */
	readonly run: readonly string[] | null;
	/** Environment variables that it may see: keys that the coding agent knows and that are set. */
	readonly env: readonly string[];
	/** False for the placeholder that a person replaces. */
	readonly found: boolean;
}

/** Who could take a seat. */
type Candidate = Omit<StarterAgent, "name">;

type Environment = Readonly<Record<string, string | undefined>>;

/** Further coding agents that speak the Agent Client Protocol, with their arguments for it, in the order of preference. */
const ACP_PROGRAMS: readonly (readonly [string, ...string[]])[] = [
	["qwen", "--acp"],
	["goose", "acp"],
	["copilot", "--acp", "--no-auto-update"],
	["claude-agent-acp"],
	["codex-acp"],
];

const NATIVE = HARNESS_NAMES.map((name) => ({ name, program: name }));

/** Of a list of programs those that are on the PATH. */
async function onPath<T extends { readonly program: string }>(
	candidates: readonly T[],
	env: Environment,
): Promise<T[]> {
	const found: T[] = [];
	for (const candidate of candidates) {
		const path = await findProgram(candidate.program, env["PATH"] ?? "", "/");
		if (path !== undefined) found.push(candidate);
	}
	return found;
}

/** Names of the coding agents with an adapter of their own that are on the PATH, in the order of preference. */
export async function installedHarnesses(
	env: Environment,
): Promise<readonly (typeof HARNESS_NAMES)[number][]> {
	return (await onPath(NATIVE, env)).map(({ name }) => name);
}

async function candidates(env: Environment): Promise<Candidate[]> {
	const native: Candidate[] = [];
	for (const adapter of await installedHarnesses(env)) {
		const { keyVariables } = await harnessOf(adapter);
		const key = keyVariables.find((name) => (env[name] ?? "") !== "");
		native.push({ adapter, run: null, env: key === undefined ? [] : [key], found: true });
	}
	if (native.length > 0) return native;
	const programs = ACP_PROGRAMS.map((run) => ({ program: run[0], run }));
	const spoken = await onPath(programs, env);
	return spoken.map(({ run }) => ({ adapter: "acp", run, env: [], found: true }));
}

/**
 * A player and a coach from the coding agents on the PATH: two different ones where two are found, else the same
 * one twice; without any a placeholder in both seats.
 */
export async function starterAgents(
	env: Environment,
): Promise<readonly [player: StarterAgent, coach: StarterAgent]> {
	const [first, second = first] = await candidates(env);
	if (first === undefined || second === undefined) {
		const placeholder = { adapter: "command", env: [], found: false } as const;
		return [
			{ ...placeholder, name: "dev", run: ["your-agent", "--as", "player"] },
			{ ...placeholder, name: "reviewer", run: ["your-agent", "--as", "coach"] },
		];
	}
	return [
		{ ...first, name: "dev" },
		{ ...second, name: "reviewer" },
	];
}
