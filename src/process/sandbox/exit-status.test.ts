import { expect, test } from "vitest";
import { notStarted } from "../ended-result.ts";
import { unwrapExit } from "./confined-host.ts";

const ended = (exitCode: number | null, signal: string | null = null) => ({
	...notStarted("", 0),
	started: true,
	startError: null,
	exitCode,
	signal,
});

test("128 and the number of a signal that ends programs is that signal", () => {
	expect(unwrapExit(ended(137))).toMatchObject({ exitCode: null, signal: "SIGKILL" });
	expect(unwrapExit(ended(139))).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
	expect(unwrapExit(ended(143))).toMatchObject({ exitCode: null, signal: "SIGTERM" });
});

test("every other exit code stays, and so does a signal", () => {
	for (const code of [0, 1, 126, 127, 128, 145, 173, 200, 255]) {
		expect(unwrapExit(ended(code))).toMatchObject({ exitCode: code, signal: null });
	}
	expect(unwrapExit(ended(null, "SIGKILL"))).toMatchObject({ signal: "SIGKILL" });
});
