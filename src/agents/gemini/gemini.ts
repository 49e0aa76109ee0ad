import type { Harness } from "../harness/harness.ts";
import { GEMINI_KEYS } from "./gemini-keys.ts";
import { geminiLaunch } from "./gemini-launch.ts";
import { GeminiReader } from "./gemini-reader.ts";
import { geminiSignIn } from "./gemini-sign-in.ts";
import { geminiSurvey } from "./gemini-survey.ts";

/** Gemini CLI, driven headless; tried with 0.61.0. */
export const gemini: Harness = {
	name: "gemini",
	storeVariables: ["GEMINI_CLI_HOME"],
	keyVariables: GEMINI_KEYS,
	survey: geminiSurvey,
	launch: geminiLaunch,
	reader: () => new GeminiReader(),
	signIn: geminiSignIn,
};
