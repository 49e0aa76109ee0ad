import { join } from "node:path";
import type { HarnessLaunch, HarnessSeat } from "../harness/harness.ts";
import { holdsOption } from "../harness/holds-option.ts";
import { geminiPolicy } from "./gemini-policy.ts";
import { SIGN_IN_FILES } from "./gemini-store.ts";

/** Without a model of its own Gemini CLI asks another one which to take, and may wait for that for minutes. */
const DEFAULT_MODEL = "gemini-2.5-pro";

/** The way to sign in has to be named as soon as another address of the API is set. */
function signInType({ keys = {}, found = {} }: HarnessSeat): string | undefined {
	if (keys["GEMINI_API_KEY"] !== undefined) return "gemini-api-key";
	if (keys["GOOGLE_API_KEY"] !== undefined) return "vertex-ai";
	return found["selectedType"];
}

function settings(seat: HarnessSeat): string {
	const selectedType = signInType(seat);
	return JSON.stringify({
		security: {
			...(selectedType === undefined ? {} : { auth: { selectedType } }),
			// Else a checkout that is not trusted is refused; whether it is, a variable says.
			folderTrust: { enabled: false },
		},
		general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
		// A `.env` of the checkout holds what its tests need, or what somebody planted.
		advanced: { ignoreLocalEnv: true },
		context: { includeDirectories: [seat.workDir] },
		hooksConfig: { enabled: false },
		skills: { enabled: false },
		experimental: { enableAgents: false },
		ide: { enabled: false },
		privacy: { usageStatisticsEnabled: false },
		telemetry: { enabled: false },
	});
}

/** The user's sign-in in the private home: links to the files that exist, each written in place. */
function signIn({ login, found = {} }: HarnessSeat, home: string): Record<string, string> {
	const links: Record<string, string> = {};
	if (login === "key") return links;
	for (const name of SIGN_IN_FILES) {
		const target = found[name];
		if (target !== undefined) links[join(home, ".gemini", name)] = target;
	}
	const { envFile } = found;
	if (envFile !== undefined) links[join(home, ".env")] = envFile;
	return links;
}

/**
 * How `gemini` is started for a seat: headless, with rules of its own, and with the prompt on standard input.
 *
 * Its settings, hooks, MCP servers, extensions, policies and memory all lie beside its sign-in, and no option shuts
 * hooks off. So each call has a private home (`GEMINI_CLI_HOME`), in which the files of the user's sign-in are linked.
 * Of a `.env` file there only keys and the project of Google Cloud are taken, unless the checkout is trusted.
 * What lies in the checkout is shut off by not trusting it; see `geminiSurvey` for the one exception.
 *
 * Without a model it is `gemini-2.5-pro`. There is no schema option, so the report is asked for in the prompt only.
 */
export function geminiLaunch(seat: HarnessSeat): HarnessLaunch {
	const { found = {}, home, args } = seat;
	const model = holdsOption(args, "--model", "-m") ? null : (seat.model ?? DEFAULT_MODEL);
	const trusted = found["trusted"] === "yes";
	const links = signIn(seat, home);
	return {
		args: [
			...(model === null ? [] : ["--model", model]),
			...(holdsOption(args, "--approval-mode", "--yolo", "-y")
				? []
				: // In any other mode a shell refuses git in some places, and `rm -rf` in all.
					["--approval-mode", trusted ? "yolo" : "default"]),
			"--extensions",
			"none",
			"--output-format",
			"stream-json",
			"--prompt",
			"",
			...args,
		],
		model,
		env: {
			GEMINI_CLI_HOME: home,
			GEMINI_CLI_TRUST_WORKSPACE: String(trusted),
			GEMINI_CLI_NO_RELAUNCH: "1",
			GEMINI_TELEMETRY_ENABLED: "false",
			NO_BROWSER: "1",
		},
		files: {
			[join(home, ".gemini", "settings.json")]: settings(seat),
			[join(home, ".gemini", "policies", "seat.toml")]: geminiPolicy(seat.rights),
		},
		links,
		// A prompt that begins with a slash would be taken for a command.
		stdin: seat.prompt.startsWith("/") ? `\n${seat.prompt}` : seat.prompt,
		writable: Object.values(links).filter((path) => path !== found["envFile"]),
	};
}
