import { expect, test } from "vitest";
import type { HarnessLook } from "./harness.ts";
import { keySignIn } from "./sign-in.ts";

const look = (env: Record<string, string>, named: readonly string[]): HarnessLook => ({
	env,
	named,
	login: "key",
	run: () => Promise.reject(new Error("a key is looked up without the harness")),
});

test.each([
	[{ A_KEY: "k" }, ["A_KEY"], true, "login: key, A_KEY is set", null],
	[{ B_KEY: "k" }, ["A_KEY", "B_KEY"], true, "login: key, B_KEY is set", null],
	[
		{ A_KEY: "" },
		["A_KEY"],
		false,
		"login: key, but A_KEY is not set",
		"Set A_KEY, or write login: user.",
	],
	[
		{ B_KEY: "k" },
		[],
		false,
		"login: key, but B_KEY is not passed on to this agent",
		"Write env: [B_KEY] for this agent.",
	],
	[
		{},
		["OTHER"],
		false,
		"login: key, but no key is set",
		"Set A_KEY and write env: [A_KEY] for this agent, or login: user.",
	],
] as [Record<string, string>, string[], boolean, string, string | null][])(
	"%j with env: %j is told: %s",
	(env, named, ok, detail, fix) => {
		expect(keySignIn(look(env, named), ["A_KEY", "B_KEY"])).toEqual({ ok, detail, fix });
	},
);
