import { lstat, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../kernel/system-code.ts";
import { exists } from "../harness/exists.ts";
import type { HarnessSeat, HarnessSurvey } from "../harness/harness.ts";

/** Whether the checkout holds settings, hooks or variables for Gemini CLI; whatever cannot be told counts as yes. */
async function holdsSettings(cwd: string): Promise<boolean> {
	try {
		await lstat(join(cwd, ".gemini"));
		return true;
	} catch (error) {
		return systemCode(error) !== "ENOENT";
	}
}

/**
 * Looks at how the user is signed in, and whether the checkout may be trusted, which Gemini CLI asks for before a
 * shell runs all that it is told to. Trust also switches on what stands in the checkout's `.gemini`, so a checkout
 * with one is never trusted; nor is one for a seat that does not build.
 *
 * @returns `trusted` when it may be, `selectedType`, `envFile`, and each file of a sign-in by its name
 */
export async function geminiSurvey(seat: HarnessSeat): Promise<HarnessSurvey> {
	const trusted = seat.rights === "write" && !(await holdsSettings(seat.cwd));
	const found: Record<string, string> = trusted ? { trusted: "yes" } : {};
	const home = seat.store["GEMINI_CLI_HOME"] ?? seat.userHome;
	if (seat.login === "key" || home === undefined) return { found, refusal: null };
	const { selectedType, files, envFile } = await geminiStore(home);
	if (selectedType !== null) found["selectedType"] = selectedType;
	if (envFile !== null) found["envFile"] = envFile;
	return { found: { ...found, ...files }, refusal: null };
}

/** Files in which Gemini CLI keeps a sign-in, below `.gemini`. It writes each of them in place. */
export const SIGN_IN_FILES = [
	"oauth_creds.json",
	"google_accounts.json",
	"gemini-credentials.json",
] as const;

/** More of a settings file is not looked at: bytes. */
const SETTINGS_LIMIT = 1_000_000;

/** How a user of Gemini CLI is signed in, as far as files tell. */
interface GeminiStore {
	/** Such as `oauth-personal`, `gemini-api-key`, `vertex-ai`; null when the settings name none. */
	readonly selectedType: string | null;
	/** Absolute paths of those of `SIGN_IN_FILES` that exist, by name. */
	readonly files: Readonly<Record<string, string>>;
	/** File with the user's variables, from which Gemini CLI takes a key; null when there is none. */
	readonly envFile: string | null;
}

async function start(path: string): Promise<string> {
	try {
		// A pipe that somebody put there would be waited for.
		if (!(await stat(path)).isFile()) return "";
		const file = await open(path, "r");
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(SETTINGS_LIMIT));
			return buffer.toString("utf8", 0, bytesRead);
		} finally {
			await file.close();
		}
	} catch {
		return "";
	}
}

/**
 * Looks at the files of a user's Gemini CLI. What cannot be read counts as missing.
 *
 * The settings may hold comments, so only the one word is looked for that is needed.
 *
 * @param home the directory that holds `.gemini`
 */
export async function geminiStore(home: string): Promise<GeminiStore> {
	const store = join(home, ".gemini");
	const settings = await start(join(store, "settings.json"));
	const [, selectedType = null] =
		/"selected(?:Auth)?Type"\s*:\s*"([\w-]{1,40})"/.exec(settings) ?? [];
	const files: Record<string, string> = {};
	for (const name of SIGN_IN_FILES) {
		if (await exists(join(store, name))) files[name] = join(store, name);
	}
	for (const envFile of [join(store, ".env"), join(home, ".env")]) {
		if (await exists(envFile)) return { selectedType, files, envFile };
	}
	return { selectedType, files, envFile: null };
}
