import { expect, test } from "vitest";
import { remoteEnvironment } from "./remotes.ts";

test("a remote is reached with the user's environment, but for what names another repository or language", () => {
	const kept = {
		PATH: "/bin",
		SSH_AUTH_SOCK: "/agent",
		GH_TOKEN: "x",
		https_proxy: "http://proxy",
		GIT_SSH_COMMAND: "ssh -i key",
		GIT_ASKPASS: "ask",
		GIT_CONFIG_GLOBAL: "/config",
	};
	const left = {
		GIT_DIR: "/other/.git",
		GIT_WORK_TREE: "/other",
		GIT_INDEX_FILE: "/other/index",
		GIT_OBJECT_DIRECTORY: "/other/objects",
		GIT_NAMESPACE: "other",
		GIT_TERMINAL_PROMPT: "1",
		LC_ALL: "de_DE.UTF-8",
		LANG: "de_DE.UTF-8",
		LANGUAGE: "de",
		NODE_OPTIONS: "--inspect",
	};
	expect(remoteEnvironment({ ...kept, ...left })).toEqual(kept);
});
