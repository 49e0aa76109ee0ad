import { expect, test } from "vitest";
import { headsIn, remoteEnvironment } from "./remotes.ts";

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

test("of the heads on a remote those that were asked for are read", () => {
	const text = "a1\trefs/heads/main\nb2\trefs/heads/old/refs/heads/main\nc3\tHEAD";
	expect([...headsIn(text, ["refs/heads/main", "refs/heads/x"])]).toEqual([["main", "a1"]]);
	expect([...headsIn("", ["refs/heads/main"])]).toEqual([]);
});
