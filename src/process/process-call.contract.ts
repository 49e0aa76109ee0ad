import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProcessRequest, ProcessResult } from "./process.ts";
import { callScene } from "./process-call.fixture.ts";
import { endMarked } from "./process-tree.ts";

const never = new AbortController().signal;

/** What holds for every way to run a program and to end all that it started. */
export function processCallContract(
	way: string,
	run: (request: ProcessRequest, signal: AbortSignal) => Promise<ProcessResult>,
): void {
	describe(way, () => {
		const { here, request, bash } = callScene();

		test("output, error output, transcript and exit code come back", async () => {
			const result = await run(bash("echo out; echo err >&2; exit 3"), never);
			expect(result).toMatchObject({
				exitCode: 3,
				signal: null,
				timedOut: false,
				started: true,
				startError: null,
				stdout: "out\n",
				stderr: "err\n",
			});
			expect([...result.output.trim().split("\n")].sort()).toEqual(["err", "out"]);
			expect(result.ms).toBeGreaterThanOrEqual(0);
		});

		test("output is heard while the program runs, all of it before the result", async () => {
			// The program waits for a file that the listener makes.
			const gate = join(here.cwd, "gate");
			const heard = { stdout: "", output: "" };
			const script = "echo first; while [ ! -e gate ]; do :; done; echo second; echo third >&2";
			await run(
				bash(script, {
					onStdout: (text) => {
						heard.stdout += text;
						if (text !== "") writeFileSync(gate, "");
					},
					onOutput: (text) => {
						heard.output += text;
					},
				}),
				never,
			);
			expect(heard.stdout).toBe("first\nsecond\n");
			expect(heard.output.split("\n").sort()).toEqual(["", "first", "second", "third"]);
		});

		test("a flood that is heard comes whole, and is kept to its head and tail", async () => {
			let heard = 0;
			const script =
				"echo first; head -c 20000000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo last";
			const onOutput = (text: string): void => {
				heard += text.length;
			};
			const { output } = await run(bash(script, { maxOutput: 1_000, onOutput }), never);
			expect(heard).toBe(20_000_000 + Math.floor(20_000_000 / 99) + 12);
			expect(output.startsWith("first\n")).toBe(true);
			expect(output.endsWith("last\n")).toBe(true);
			expect(output.length).toBeLessThan(1_100);
		});

		test("the environment is replaced, and marked", async () => {
			const { stdout } = await run(request(["env"], { env: { PATH: "/usr/bin:/bin" } }), never);
			expect(stdout.trim().split("\n").sort()).toEqual([
				"PATH=/usr/bin:/bin",
				`SPAR_PROCESS_MARK=${here.mark}call`,
			]);
		});

		test("standard input is written and closed", async () => {
			const stdin = "grün\n".repeat(200_000);
			const { stdout } = await run(request(["wc", "-c"], { stdin }), never);
			expect(Number(stdout)).toBe(Buffer.byteLength(stdin));
		});

		test("a program that ended by itself through a signal says so", async () => {
			const result = await run(bash("kill -KILL $$"), never);
			expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
		});

		test("a missing program is a value", async () => {
			const result = await run(request(["no-such-program"]), never);
			expect(result).toMatchObject({ started: false, startError: "ENOENT", exitCode: null });
		});

		test("a program that times out may clean up and keeps its exit code", async () => {
			const script = "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.02; done";
			const result = await run(bash(script, { timeoutMs: 300 }), never);
			expect(result).toMatchObject({ exitCode: 7, timedOut: true, stdout: "up\nbye\n" });
		});

		test("aborted before the start, nothing starts", async () => {
			const early = AbortSignal.abort(new Error("early"));
			await expect(run(bash("touch started"), early)).rejects.toThrow("early");
			expect((await run(request(["ls"]), never)).stdout).toBe("");
		});

		test("aborted, it rejects with the reason after everything ended, without waiting for grace", async () => {
			const controller = new AbortController();
			const script = "trap '' TERM; setsid sleep 300 & echo up; while :; do sleep 0.02; done";
			const onStdout = (text: string): void => {
				if (text !== "") controller.abort(new Error("stop"));
			};
			await expect(run(bash(script, { onStdout }), controller.signal)).rejects.toThrow("stop");
			expect(await endMarked(here.mark)).toBe(0);
		});

		test.runIf(process.platform === "linux")("leftovers in sessions of their own end", async () => {
			const script = "(setsid bash -c '(sleep 300 &) ; sleep 300' &); setsid sleep 300 & echo done";
			expect((await run(bash(script), never)).stdout).toBe("done\n");
		});

		test.runIf(process.platform === "linux")(
			"leftovers that gave up mark and parents end by the place in which they work",
			async () => {
				const script =
					"(env -i /usr/bin/setsid /bin/sh -c '/usr/bin/sleep 300.25 <&- >&- 2>&- & /usr/bin/sleep 0.2' >/dev/null 2>&1 <&- &) ; sleep 0.1; echo done";
				await run(bash(script, { places: [here.cwd] }), never);
				const left = await run(request(["pgrep", "-f", "^/usr/bin/sleep 300.25$"]), never);
				expect(left.stdout).toBe("");
			},
		);

		test("many calls at once do not end each other, and hear only themselves", async () => {
			const heard = new Map<string, string>();
			const names = Array.from({ length: 8 }, (_, index) => String(index));
			const results = await Promise.all(
				names.map((name) => {
					const onStdout = (text: string): void => {
						heard.set(name, (heard.get(name) ?? "") + text);
					};
					return run(bash(`sleep 0.1; echo ${name}`, { mark: here.mark + name, onStdout }), never);
				}),
			);
			expect(results.map(({ stdout }) => stdout.trim())).toEqual(names);
			expect(names.map((name) => heard.get(name)?.trim())).toEqual(names);
		});
	});
}
