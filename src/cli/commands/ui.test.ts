import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { fakeShell, runReport } from "../fakes.contract.ts";
import { runCli } from "../run-cli.ts";

/** Runs a command line that goes on until Ctrl-C, and presses it once something was printed. */
async function untilEnded(args: readonly string[], options: Parameters<typeof fakeShell>[0] = {}) {
	const shell = fakeShell(options);
	const ended = runCli(args, shell);
	await expect.poll(() => shell.listeners()).toBe(1);
	const before = { ...shell.printed };
	expect(shell.dashboards.map(({ closed }) => closed)).toEqual([0]);
	shell.interrupt();
	return { code: await ended, before, shell };
}

test("the address is printed, a browser gets one of its own, and Ctrl-C is the way out", async () => {
	const { code, before, shell } = await untilEnded(["ui"]);
	expect(code).toBe(0);
	expect(before.out).toBe("http://127.0.0.1:7700/#code=1\n");
	expect(before.err).toContain("once, within 60 seconds");
	expect(shell.browsed).toEqual(["http://127.0.0.1:7700/#code=2"]);
	expect(shell.dashboards).toEqual([{ port: 0, closed: 1 }]);
	expect(shell.listeners()).toBe(0);
});

thorough("a program gets one line of JSON, and no browser where it wants none", async () => {
	const { before, shell } = await untilEnded(["ui", "--json", "--no-open", "--port", "7700"]);
	expect(before).toEqual({ out: '{"url":"http://127.0.0.1:7700/#code=1"}\n', err: "" });
	expect(shell.browsed).toEqual([]);
	expect(shell.dashboards).toEqual([{ port: 7700, closed: 1 }]);
	const opening = await untilEnded(["ui", "--json"]);
	expect(opening.shell.browsed).toEqual(["http://127.0.0.1:7700/#code=2"]);
});

test.each(["0", "65536", "http"])("port %s is refused", async (port) => {
	const shell = fakeShell();
	expect(await runCli(["ui", "--port", port], shell)).toBe(2);
	expect(shell.dashboards).toEqual([]);
});

const sparring = {
	load: () => Promise.resolve({ workflow: { name: "w" } as never, errors: [], warnings: [] }),
	run: () => Promise.resolve(runReport("paused_for_user_escalation")),
};

test("a run with a page asks nobody in the terminal; the page stays until Ctrl-C, and the exit code is the run's", async () => {
	const shown = await untilEnded(["run", "--ui"], { sparring, terminal: true, typed: ["1"] });
	expect(shown.code).toBe(3);
	expect(shown.before.err).toContain("http://127.0.0.1:7700/#code=1\n");
	expect(shown.before.err).toContain("The dashboard stays until you press Ctrl-C.");
	expect(shown.before.err).not.toContain("Your answer");
	expect(shown.shell.dashboards).toEqual([{ port: 0, closed: 1 }]);
});

thorough("a run that Ctrl-C ends takes its page with it", async () => {
	const interrupted = {
		...sparring,
		run: ({ signal }: { readonly signal?: AbortSignal | undefined }) => {
			const { promise, reject } = Promise.withResolvers<never>();
			signal?.addEventListener("abort", () => reject(signal.reason as Error));
			return promise;
		},
	};
	const { code, shell } = await untilEnded(["run", "--ui"], { sparring: interrupted });
	expect(code).toBe(130);
	expect(shell.dashboards).toEqual([{ port: 0, closed: 1 }]);
});
