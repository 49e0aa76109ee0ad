import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { HarnessSeat, HarnessSurvey } from "../harness/harness.ts";
import { geminiStore } from "./gemini-store.ts";

/** Whether the checkout holds settings, hooks or variables for Gemini CLI; whatever cannot be told counts as yes. */
async function holdsSettings(cwd: string): Promise<boolean> {
	try {
		await lstat(join(cwd, ".gemini"));
		return true;
	} catch (error) {
		// Calls of the file system reject with system errors, which carry a code.
		return (error as NodeJS.ErrnoException).code !== "ENOENT";
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
	const found = trusted ? { trusted: "yes" } : {};
	const home = seat.store["GEMINI_CLI_HOME"] ?? seat.userHome;
	if (seat.login === "key" || home === undefined) return { found, refusal: null };
	const { selectedType, files, envFile } = await geminiStore(home);
	return {
		found: {
			...found,
			...(selectedType === null ? {} : { selectedType }),
			...(envFile === null ? {} : { envFile }),
			...files,
		},
		refusal: null,
	};
}
