import { join } from "node:path";
import type { HarnessLaunch, HarnessSeat } from "../harness/harness.ts";
import { holdsOption } from "../harness/holds-option.ts";

/** Variables that hold a key for Codex: its own, and the one of the API, which `codex exec` does not look at itself. */
export const CODEX_KEYS = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** The variable with the address of a gateway, as OpenAI's own clients read it. */
export const CODEX_ADDRESS = "OPENAI_BASE_URL";

/** What Codex reads besides its command line: hooks and skills, of the user's and of the checkout. */
const SHUT_OFF = [
	"features.hooks=false",
	// Else it asks outside for a catalogue of plugins at every start.
	"features.plugins=false",
	"skills.include_instructions=false",
];

const QUIET = [
	"check_for_update_on_startup=false",
	"analytics.enabled=false",
	'otel.exporter="none"',
	'web_search="disabled"',
];

/** Instructions in the checkout are the player's to follow; to a judging role they are part of what is judged. */
const NO_INSTRUCTIONS = ["project_doc_max_bytes=0"];

/** The key is for Codex, not for the commands that it runs. */
const NO_KEYS = [`shell_environment_policy.exclude=${JSON.stringify(CODEX_KEYS)}`];

/** The call has a temporary directory of its own. */
const OWN_TMP = ["sandbox_workspace_write.exclude_slash_tmp=true"];

function sandbox({ confined, rights }: HarnessSeat): string {
	// Its own sandbox cannot be opened inside Sparring's, which gives the same rights.
	if (confined) return "danger-full-access";
	return rights === "read" ? "read-only" : "workspace-write";
}

/** Whether a user's arguments name the model, be it as an option or as a setting. */
function namesModel(args: readonly string[]): boolean {
	const sets = (text: string): boolean => /^(?:(?:-c|--config)[= ]?)?model\s*=/.test(text);
	return holdsOption(args, "--model", "-m") || args.some(sets);
}

const namesProvider = (args: readonly string[]): boolean =>
	args.some((text) => text === "--oss" || /\bmodel_provider\s*=/.test(text));

/** The file in which the user is signed in; undefined when nobody knows where. */
function credentials({ login, store, userHome }: HarnessSeat): string | undefined {
	if (login === "key") return undefined;
	const home =
		store["CODEX_HOME"] ?? (userHome === undefined ? undefined : join(userHome, ".codex"));
	return home === undefined ? undefined : join(home, "auth.json");
}

function keyVariables({ keys = {} }: Pick<HarnessSeat, "keys">): Record<string, string> {
	const key = keys["CODEX_API_KEY"] ?? keys["OPENAI_API_KEY"];
	return key === undefined ? {} : { CODEX_API_KEY: key };
}

/**
 * The provider that a gateway's address stands for: Codex reads no address from its environment. The account's sign-in
 * does not go there, only a key that the workflow passes on. A provider of the user's own arguments comes first.
 */
function gateway({ keys = {}, args }: HarnessSeat): string[] {
	const address = keys[CODEX_ADDRESS] ?? "";
	if (address === "" || namesProvider(args)) return [];
	const settings = [
		'name="gateway"',
		`base_url=${JSON.stringify(address)}`,
		'wire_api="responses"',
		...("CODEX_API_KEY" in keyVariables({ keys }) ? ['env_key="CODEX_API_KEY"'] : []),
	];
	return ['model_provider="gateway"', `model_providers.gateway={${settings.join(",")}}`];
}

/**
 * How `codex` is started for a seat: `codex exec` without a session that is kept, in its own sandbox, with the prompt
 * on standard input and the report's schema in a file.
 *
 * It has to write to its home directory, where settings, hooks, rules and instructions lie as well. So each call has a
 * private one, in which the user's sign-in, and nothing else, is linked. The home does not lie below `TMPDIR`: Codex
 * puts no programs there, and without them no command of its sandbox runs.
 */
export function codexLaunch(seat: HarnessSeat): HarnessLaunch {
	const home = join(seat.home, ".codex");
	const schemaPath = join(seat.home, "report.schema.json");
	const signedIn = credentials(seat);
	const model = namesModel(seat.args) ? null : (seat.model ?? null);
	const settings = [
		...QUIET,
		...SHUT_OFF,
		...NO_KEYS,
		...OWN_TMP,
		...(seat.rights === "write" ? [] : NO_INSTRUCTIONS),
		...gateway(seat),
	];
	return {
		args: [
			"exec",
			"--json",
			"--ephemeral",
			"--skip-git-repo-check",
			"--ignore-user-config",
			"--ignore-rules",
			"--sandbox",
			sandbox(seat),
			...settings.flatMap((setting) => ["-c", setting]),
			...(seat.schema === null ? [] : ["--output-schema", schemaPath]),
			...(model === null ? [] : ["--model", model]),
			...seat.args,
		],
		model,
		env: { CODEX_HOME: home, ...keyVariables(seat) },
		files: {
			[join(home, "config.toml")]: "",
			...(seat.schema === null ? {} : { [schemaPath]: JSON.stringify(seat.schema) }),
		},
		links: signedIn === undefined ? {} : { [join(home, "auth.json")]: signedIn },
		stdin: seat.prompt,
		// Codex replaces the file of its sign-in; a sandbox would have to open the whole directory for that.
		writable: [],
	};
}
