import { findProgram } from "./find-program.ts";

/** An agent of the starter file: a program that reads the prompt on standard input. */
export interface StarterAgent {
	readonly name: "dev" | "reviewer";
	readonly run: readonly string[];
	/** Environment variables that it may see: keys that the harness knows and that are set. */
	readonly env: readonly string[];
	/** False for the placeholder that a person replaces. */
	readonly found: boolean;
}

interface Harness {
	readonly program: string;
	readonly player: readonly string[];
	/** A line for `sh -c`: a coach writes its report to the file that `$SPAR_REPORT` names, outside its checkout. */
	readonly coach: string;
	readonly keys: readonly string[];
}

const REPORT_FOLDER = '"$(dirname "$SPAR_REPORT")"';

/** Harnesses that work without a person, in the order of preference. */
const HARNESSES: readonly Harness[] = [
	{
		program: "claude",
		player: ["claude", "-p", "--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
		coach: `exec claude -p --permission-mode acceptEdits --add-dir ${REPORT_FOLDER} --allowedTools Bash`,
		keys: ["ANTHROPIC_API_KEY"],
	},
	{
		program: "codex",
		player: ["codex", "exec", "--sandbox", "workspace-write", "-"],
		coach: `exec codex exec --sandbox workspace-write --add-dir ${REPORT_FOLDER} -`,
		keys: ["OPENAI_API_KEY", "CODEX_API_KEY"],
	},
	{
		program: "gemini",
		player: ["gemini", "--approval-mode", "yolo", "--skip-trust", "-p", ""],
		coach: `exec gemini --approval-mode yolo --skip-trust --include-directories ${REPORT_FOLDER} -p ''`,
		keys: ["GEMINI_API_KEY"],
	},
	{ program: "opencode", player: ["opencode", "run"], coach: "exec opencode run", keys: [] },
];

/**
 * A player and a coach from the harnesses on the PATH: two different ones where two are found, else the same
 * one twice; without any a placeholder in both seats.
 */
export async function starterAgents(
	env: Readonly<Record<string, string | undefined>>,
): Promise<readonly [player: StarterAgent, coach: StarterAgent]> {
	const found: Harness[] = [];
	for (const harness of HARNESSES) {
		if ((await findProgram(harness.program, env["PATH"] ?? "", "/")) !== undefined) {
			found.push(harness);
		}
	}
	const [first, second = first] = found;
	if (first === undefined || second === undefined) {
		const placeholder = { env: [], found: false } as const;
		return [
			{ ...placeholder, name: "dev", run: ["your-agent", "--as", "player"] },
			{ ...placeholder, name: "reviewer", run: ["your-agent", "--as", "coach"] },
		];
	}
	const keysOf = (harness: Harness) => harness.keys.filter((key) => (env[key] ?? "") !== "");
	return [
		{ name: "dev", run: first.player, env: keysOf(first), found: true },
		{ name: "reviewer", run: ["sh", "-c", second.coach], env: keysOf(second), found: true },
	];
}
