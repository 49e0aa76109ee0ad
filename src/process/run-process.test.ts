import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { callScene } from "./process-call.fixture.ts";
import { endMarked } from "./process-tree.ts";
import { runProcess } from "./run-process.ts";

const never = new AbortController().signal;
const { here, request, bash } = callScene();

test("output, error output, transcript and exit code come back", async () => {
	const result = await runProcess(bash("echo out; echo err >&2; exit 3"), never);
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
	await runProcess(
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
	const { output } = await runProcess(bash(script, { maxOutput: 1_000, onOutput }), never);
	expect(heard).toBe(20_000_000 + Math.floor(20_000_000 / 99) + 12);
	expect(output.startsWith("first\n")).toBe(true);
	expect(output.endsWith("last\n")).toBe(true);
	expect(output.length).toBeLessThan(1_100);
});

test("the environment is replaced, and marked", async () => {
	const { stdout } = await runProcess(request(["env"], { env: { PATH: "/usr/bin:/bin" } }), never);
	expect(stdout.trim().split("\n").sort()).toEqual([
		"PATH=/usr/bin:/bin",
		`SPAR_PROCESS_MARK=${here.mark}call`,
	]);
});

test("standard input is written and closed", async () => {
	const stdin = "grün\n".repeat(200_000);
	const { stdout } = await runProcess(request(["wc", "-c"], { stdin }), never);
	expect(Number(stdout)).toBe(Buffer.byteLength(stdin));
});

test("a program that ended by itself through a signal says so", async () => {
	const result = await runProcess(bash("kill -KILL $$"), never);
	expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
});

test("a missing program is a value", async () => {
	const result = await runProcess(request(["no-such-program"]), never);
	expect(result).toMatchObject({ started: false, startError: "ENOENT", exitCode: null });
});

thorough("a program that times out may clean up and keeps its exit code", async () => {
	const script = "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.02; done";
	const result = await runProcess(bash(script, { timeoutMs: 300 }), never);
	expect(result).toMatchObject({ exitCode: 7, timedOut: true, stdout: "up\nbye\n" });
});

test("aborted before the start, nothing starts", async () => {
	const early = AbortSignal.abort(new Error("early"));
	await expect(runProcess(bash("touch started"), early)).rejects.toThrow("early");
	expect((await runProcess(request(["ls"]), never)).stdout).toBe("");
});

test("aborted, it rejects with the reason after everything ended, without waiting for grace", async () => {
	const controller = new AbortController();
	const script = "trap '' TERM; setsid sleep 300 & echo up; while :; do sleep 0.02; done";
	const onStdout = (text: string): void => {
		if (text !== "") controller.abort(new Error("stop"));
	};
	await expect(runProcess(bash(script, { onStdout }), controller.signal)).rejects.toThrow("stop");
	expect(await endMarked(here.mark)).toBe(0);
});

test.runIf(process.platform === "linux")("leftovers in sessions of their own end", async () => {
	const script = "(setsid bash -c '(sleep 300 &) ; sleep 300' &); setsid sleep 300 & echo done";
	expect((await runProcess(bash(script), never)).stdout).toBe("done\n");
});

test.runIf(process.platform === "linux")(
	"leftovers that gave up mark and parents end by the place in which they work",
	async () => {
		const script =
			"(env -i /usr/bin/setsid /bin/sh -c '/usr/bin/sleep 300.25 <&- >&- 2>&- & /usr/bin/sleep 0.2' >/dev/null 2>&1 <&- &) ; sleep 0.1; echo done";
		await runProcess(bash(script, { places: [here.cwd] }), never);
		const left = await runProcess(request(["pgrep", "-f", "^/usr/bin/sleep 300.25$"]), never);
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
			return runProcess(
				bash(`sleep 0.1; echo ${name}`, { mark: here.mark + name, onStdout }),
				never,
			);
		}),
	);
	expect(results.map(({ stdout }) => stdout.trim())).toEqual(names);
	expect(names.map((name) => heard.get(name)?.trim())).toEqual(names);
});

test("a line of one stream does not come to stand within a line of the other", async () => {
	// The first half is read before the other stream says anything: the listener makes the file that is waited for.
	const gate = join(here.cwd, "gate");
	const script = "printf 'half-'; while [ ! -e gate ]; do :; done; echo warning >&2; echo half";
	const { output } = await runProcess(
		bash(script, {
			onStdout: (text) => {
				if (text !== "") writeFileSync(gate, "");
			},
		}),
		never,
	);
	expect(["warning\nhalf-half\n", "half-half\nwarning\n"]).toContain(output);
});

test("a last line without an end is part of the whole output", async () => {
	const { output } = await runProcess(bash("printf 'one\\ntwo'; printf three >&2"), never);
	expect(output).toMatch(/^one\n(?:twothree|threetwo)$|^threeone\ntwo$/);
});

describe("standard input", () => {
	test("is no socket: bash does not run the user's .bashrc, and /dev/stdin can be opened", async () => {
		await writeFile(join(here.cwd, ".bashrc"), "echo from bashrc");
		const env = { PATH: "/usr/bin:/bin", HOME: here.cwd };
		const script = bash("cat /dev/stdin", { env, stdin: "text" });
		expect((await runProcess(script, never)).output).toBe("text");
	});

	test("is empty without a text", async () => {
		expect((await runProcess(request(["cat"]), never)).stdout).toBe("");
	});

	test("may be left unread, however long", async () => {
		const stdin = "x".repeat(8_000_000);
		expect((await runProcess(bash("exec 0<&-; exit 4", { stdin }), never)).exitCode).toBe(4);
		expect((await runProcess(bash("exit 0", { stdin }), never)).exitCode).toBe(0);
	});
});

describe("a program that does not start is a value", () => {
	test("not executable", async () => {
		await writeFile(join(here.cwd, "plain"), "x");
		const result = await runProcess(request(["./plain"]), never);
		expect(result).toMatchObject({ started: false, startError: "EACCES" });
	});

	test("in a directory that does not exist, or is a file", async () => {
		await writeFile(join(here.cwd, "plain"), "x");
		for (const place of ["gone", "plain"]) {
			const result = await runProcess(request(["true"], { cwd: join(here.cwd, place) }), never);
			expect(result).toMatchObject({ started: false, startError: "ENOTDIR" });
		}
	});

	test("without a place for its input, which is not taken for a missing program", async () => {
		vi.stubEnv("TMPDIR", join(here.cwd, "gone"));
		const result = await runProcess(request(["cat"], { stdin: "x" }), never);
		vi.unstubAllEnvs();
		expect(result).toMatchObject({ started: false, startError: "temporary file: ENOENT" });
	});

	test("with arguments that are too long", async () => {
		const result = await runProcess(request(["echo", "x".repeat(3_000_000)]), never);
		expect(result).toMatchObject({ started: false, startError: "E2BIG" });
	});

	test("with an empty name or a zero byte", async () => {
		expect((await runProcess(request([""]), never)).startError).toBe("ERR_INVALID_ARG_VALUE");
		const result = await runProcess(request(["echo", "a\0b"]), never);
		expect(result.startError).toBe("ERR_INVALID_ARG_VALUE");
	});
});

thorough("a flood of 50 MB is kept to its head and tail", async () => {
	const script = "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last";
	const { stdout, output } = await runProcess(bash(script, { maxOutput: 1_000 }), never);
	expect(stdout.startsWith("first\n")).toBe(true);
	expect(stdout).toMatch(/\[\.\.\. 499\d+ characters left out \.\.\.\]/);
	expect(stdout.endsWith("last\n")).toBe(true);
	expect(output).toBe(stdout);
});

test("bytes that are no UTF-8 are replaced", async () => {
	expect((await runProcess(bash("printf 'a\\xffb'"), never)).stdout).toBe("a\ufffdb");
});

test("a program that closes its output early still runs to its end", async () => {
	const result = await runProcess(bash("exec 1>&- 2>&-; read -t 0.2 <> <(:); exit 5"), never);
	expect(result.exitCode).toBe(5);
});

describe.runIf(process.platform === "linux")("leftovers", () => {
	test("that hold the pipes end at once after a normal exit", async () => {
		const result = await runProcess(bash("sleep 300 & echo done"), never);
		expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
		expect(result.ms).toBeLessThan(30_000);
	});

	thorough("that gave up the marker end while they are descendants", async () => {
		const script = "env -i /usr/bin/setsid /usr/bin/sleep 300.125 & sleep 300";
		const result = await runProcess(bash(script, { timeoutMs: 300 }), never);
		expect(result.timedOut).toBe(true);
		const left = await runProcess(request(["pgrep", "-f", "^/usr/bin/sleep 300.125$"]), never);
		expect(left.stdout).toBe("");
	});

	test("that fork again and again end", async () => {
		const script = "f() { sleep 0.01; f & }; f; f; f; echo done";
		expect((await runProcess(bash(script), never)).stdout).toBe("done\n");
	});
});

describe("the timeout", () => {
	thorough("ends a program that ignores the request, with its children", async () => {
		const script = "trap '' TERM; setsid sleep 300 & sleep 300 & while :; do sleep 0.02; done";
		const result = await runProcess(bash(script, { timeoutMs: 200 }), never);
		expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
		expect(result.ms).toBeGreaterThanOrEqual(2_000);
	});

	test("ends a stopped program", async () => {
		const result = await runProcess(bash("kill -STOP $$", { timeoutMs: 200 }), never);
		expect(result).toMatchObject({ signal: "SIGTERM", timedOut: true });
	});

	test("longer than any timer does not fire at once", async () => {
		const result = await runProcess(bash("exit 0", { timeoutMs: Number.MAX_SAFE_INTEGER }), never);
		expect(result).toMatchObject({ exitCode: 0, timedOut: false });
	});
});

thorough("abort during the grace of a timeout cuts it short", async () => {
	const script = "trap '' TERM; while :; do sleep 0.02; done";
	const whole = runProcess(
		bash(script, { timeoutMs: 100, mark: `whole-${process.pid}` }),
		never,
	).then(() => "whole");
	const cut = runProcess(bash(script, { timeoutMs: 100 }), AbortSignal.timeout(400));
	await expect(Promise.race([whole, cut])).rejects.toThrow("timeout");
	await expect(whole).resolves.toBe("whole");
});
