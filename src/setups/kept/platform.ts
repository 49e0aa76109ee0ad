import { readFile } from "node:fs/promises";
import { wordsOf } from "../setup-key.ts";
import type { Tool } from "./copy-files.ts";

const PROGRAMS =
	"npm npx pnpm yarn bun deno python python3 pip pip3 uv poetry pdm pipenv ruby bundle composer php cargo go mvn mix";

const IRRELEVANT = /^(?:TERM|SHELL|LOGNAME|USER|LANG|LANGUAGE|LC_.*|XDG_RUNTIME_DIR|.*_PROXY)$/i;

/** Machine and programs on which the result of a setup depends; for a hash. */
export interface Platform {
	readonly os: string;
	readonly arch: string;
	/** Text of the file that names the distribution: two of them can share a home directory. */
	readonly release: string;
	/** As Node and the programs that the commands name print them; "" for one that does not tell. */
	readonly versions: Readonly<Record<string, string>>;
	readonly env: Readonly<Record<string, string>>;
}

/**
 * Asks the system and the programs. Only programs of a fixed list are started, since others may do more than print.
 *
 * @param env what the setup will see
 * @param tool starts a program with that environment
 */
export async function platformOf(
	commands: readonly string[],
	env: Readonly<Record<string, string>>,
	tool: Tool,
): Promise<Platform> {
	const words = wordsOf(commands);
	const asked = PROGRAMS.split(" ").filter((program) => words.has(program));
	const versions = await Promise.all(
		["node", ...asked].map(async (program) => {
			const { exitCode, stdout } = await tool([
				program,
				program === "go" ? "version" : "--version",
			]);
			return [program, exitCode === 0 ? stdout.trim() : ""] as const;
		}),
	);
	return {
		os: process.platform,
		arch: process.arch,
		release: await readFile("/etc/os-release", "utf8").catch(() => ""),
		versions: Object.fromEntries(versions),
		env: Object.fromEntries(Object.entries(env).filter(([name]) => !IRRELEVANT.test(name))),
	};
}
