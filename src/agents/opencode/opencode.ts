import type { Harness } from "../harness/harness.ts";
import { OPENCODE_KEYS } from "./opencode-keys.ts";
import { opencodeLaunch } from "./opencode-launch.ts";
import { OpencodeReader } from "./opencode-reader.ts";
import { opencodeSignIn } from "./opencode-sign-in.ts";
import { opencodeSurvey } from "./opencode-survey.ts";

/** opencode, driven through `opencode run`; tried with 1.18.33. */
export const opencode: Harness = {
	name: "opencode",
	storeVariables: ["XDG_DATA_HOME"],
	keyVariables: OPENCODE_KEYS,
	survey: opencodeSurvey,
	launch: opencodeLaunch,
	reader: () => new OpencodeReader(),
	signIn: opencodeSignIn,
};
