import { join } from "node:path";
import type { HarnessLaunch, HarnessSeat } from "../harness/harness.ts";
import { holdsOption } from "../harness/holds-option.ts";
import type { Rights } from "../rights.ts";

/** Nothing but Claude Code's own safe commands runs without a rule: it knows that `git diff --output=x` writes. */
const READING = ["Read", "Grep", "Glob", "Bash"] as const;
const EDITING = [...READING, "Edit", "Write", "NotebookEdit"] as const;
const WORKING = [...EDITING, "Task", "TaskStop", "TodoWrite"] as const;

/** Edits stay inside of the working directory; other places that may be read are not for writing. */
const EDIT_HERE = "Edit(./**)";

const TOOLS: Readonly<Record<Rights, readonly string[]>> = {
	read: READING,
	restricted: EDITING,
	write: WORKING,
};

const ALLOWED: Readonly<Record<Rights, readonly string[]>> = {
	read: [],
	restricted: [EDIT_HERE],
	write: [EDIT_HERE, "Bash"],
};

/** Whatever a user or another agent has put into settings, plugins, hooks, skills and MCP servers is shut off. */
const SHUT_OFF = ["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"];

const QUIET = {
	// What it remembers of earlier sessions in the same directory is no part of a fresh context.
	CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
	DISABLE_AUTOUPDATER: "1",
	DISABLE_ERROR_REPORTING: "1",
	DISABLE_TELEMETRY: "1",
	// It would put each command into a sandbox of its own, which litters the checkout and cannot open inside
	// Sparring's.
	CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "0",
	// The loop tries again itself, with pauses that it can end.
	CLAUDE_CODE_MAX_RETRIES: "2",
};

function storeOf({ store, userHome }: HarnessSeat): string | undefined {
	return (
		store["CLAUDE_CONFIG_DIR"] ?? (userHome === undefined ? undefined : join(userHome, ".claude"))
	);
}

/**
 * How `claude` is started for a seat: headless, on a fresh session that is not kept, under the mode in which whatever
 * no rule allows is refused.
 *
 * Every seat reads its checkout and the call's own directory. The player also edits the checkout and runs any command;
 * the verifier edits, and runs what Claude Code itself takes for reading; a judging role has no tool that writes.
 */
export function claudeLaunch(seat: HarnessSeat): HarnessLaunch {
	const allowed = ALLOWED[seat.rights];
	const store = storeOf(seat);
	const model = holdsOption(seat.args, "--model") ? null : (seat.model ?? null);
	return {
		args: [
			"-p",
			"--output-format",
			"stream-json",
			"--verbose",
			"--no-session-persistence",
			...SHUT_OFF,
			"--tools",
			TOOLS[seat.rights].join(","),
			...(allowed.length === 0 ? [] : ["--allowedTools", allowed.join(",")]),
			"--add-dir",
			seat.workDir,
			"--permission-mode",
			"dontAsk",
			...(seat.schema === null ? [] : ["--json-schema", JSON.stringify(seat.schema)]),
			...(model === null ? [] : ["--model", model]),
			...seat.args,
		],
		model,
		env: {
			...QUIET,
			...(seat.login === "key" ? { CLAUDE_CONFIG_DIR: join(seat.home, ".claude") } : {}),
		},
		files: {},
		stdin: seat.prompt,
		writable:
			seat.login === "user" && store !== undefined ? [join(store, ".credentials.json")] : [],
	};
}
