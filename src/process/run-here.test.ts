import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { processCallContract } from "./process-call.contract.ts";
import { callScene } from "./process-call.fixture.ts";
import { runHere } from "./run-here.ts";

processCallContract("directly", runHere);

const never = new AbortController().signal;
const { here, request, bash } = callScene();

test("a line of one stream does not come to stand within a line of the other", async () => {
	// The first half is read before the other stream says anything: the listener makes the file that is waited for.
	const gate = join(here.cwd, "gate");
	const script = "printf 'half-'; while [ ! -e gate ]; do :; done; echo warning >&2; echo half";
	const { output } = await runHere(
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
	const { output } = await runHere(bash("printf 'one\\ntwo'; printf three >&2"), never);
	expect(output).toMatch(/^one\n(?:twothree|threetwo)$|^threeone\ntwo$/);
});

describe("standard input", () => {
	test("is no socket: bash does not run the user's .bashrc, and /dev/stdin can be opened", async () => {
		await writeFile(join(here.cwd, ".bashrc"), "echo from bashrc");
		const env = { PATH: "/usr/bin:/bin", HOME: here.cwd };
		const script = bash("cat /dev/stdin", { env, stdin: "text" });
		expect((await runHere(script, never)).output).toBe("text");
	});

	test("is empty without a text", async () => {
		expect((await runHere(request(["cat"]), never)).stdout).toBe("");
	});

	test("may be left unread, however long", async () => {
		const stdin = "x".repeat(8_000_000);
		expect((await runHere(bash("exec 0<&-; exit 4", { stdin }), never)).exitCode).toBe(4);
		expect((await runHere(bash("exit 0", { stdin }), never)).exitCode).toBe(0);
	});
});

describe("a program that does not start is a value", () => {
	test("not executable", async () => {
		await writeFile(join(here.cwd, "plain"), "x");
		const result = await runHere(request(["./plain"]), never);
		expect(result).toMatchObject({ started: false, startError: "EACCES" });
	});

	test("in a directory that does not exist, or is a file", async () => {
		await writeFile(join(here.cwd, "plain"), "x");
		for (const place of ["gone", "plain"]) {
			const result = await runHere(request(["true"], { cwd: join(here.cwd, place) }), never);
			expect(result).toMatchObject({ started: false, startError: "ENOTDIR" });
		}
	});

	test("without a place for its input, which is not taken for a missing program", async () => {
		vi.stubEnv("TMPDIR", join(here.cwd, "gone"));
		const result = await runHere(request(["cat"], { stdin: "x" }), never);
		vi.unstubAllEnvs();
		expect(result).toMatchObject({ started: false, startError: "temporary file: ENOENT" });
	});

	test("with arguments that are too long", async () => {
		const result = await runHere(request(["echo", "x".repeat(3_000_000)]), never);
		expect(result).toMatchObject({ started: false, startError: "E2BIG" });
	});

	test("with an empty name or a zero byte", async () => {
		expect((await runHere(request([""]), never)).startError).toBe("ERR_INVALID_ARG_VALUE");
		const result = await runHere(request(["echo", "a\0b"]), never);
		expect(result.startError).toBe("ERR_INVALID_ARG_VALUE");
	});
});

test("a flood of 50 MB is kept to its head and tail", async () => {
	const script = "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last";
	const { stdout, output } = await runHere(bash(script, { maxOutput: 1_000 }), never);
	expect(stdout.startsWith("first\n")).toBe(true);
	expect(stdout).toMatch(/\[\.\.\. 499\d+ characters left out \.\.\.\]/);
	expect(stdout.endsWith("last\n")).toBe(true);
	expect(output).toBe(stdout);
});

test("output is read only as fast as it can be taken", async () => {
	const gate = join(here.cwd, "gate");
	let [isFull, heard, untimely] = [false, 0, 0];
	const pressure = (): Promise<void> => {
		isFull = true;
		return new Promise((resolve) => {
			setImmediate(() => {
				isFull = false;
				resolve();
			});
		});
	};
	const onStdout = (text: string): void => {
		if (isFull && text !== "") untimely += 1;
		heard += text.length;
		if (heard === 3_000_000) writeFileSync(gate, "");
	};
	// What is left at the end is read at once, so it ends after everything was heard.
	const script = "head -c 3000000 /dev/zero | tr '\\0' x; while [ ! -e gate ]; do :; done";
	await runHere(bash(script, { onStdout }), never, pressure);
	expect({ heard, untimely }).toEqual({ heard: 3_000_000, untimely: 0 });
});

test("bytes that are no UTF-8 are replaced", async () => {
	expect((await runHere(bash("printf 'a\\xffb'"), never)).stdout).toBe("a\ufffdb");
});

test("a program that closes its output early still runs to its end", async () => {
	const result = await runHere(bash("exec 1>&- 2>&-; read -t 0.2 <> <(:); exit 5"), never);
	expect(result.exitCode).toBe(5);
});

describe.runIf(process.platform === "linux")("leftovers", () => {
	test("that hold the pipes end at once after a normal exit", async () => {
		const result = await runHere(bash("sleep 300 & echo done"), never);
		expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
		expect(result.ms).toBeLessThan(30_000);
	});

	test("that gave up the marker end while they are descendants", async () => {
		const script = "env -i /usr/bin/setsid /usr/bin/sleep 300.125 & sleep 300";
		const result = await runHere(bash(script, { timeoutMs: 300 }), never);
		expect(result.timedOut).toBe(true);
		const left = await runHere(request(["pgrep", "-f", "^/usr/bin/sleep 300.125$"]), never);
		expect(left.stdout).toBe("");
	});

	test("that fork again and again end", async () => {
		const script = "f() { sleep 0.01; f & }; f; f; f; echo done";
		expect((await runHere(bash(script), never)).stdout).toBe("done\n");
	});
});

describe("the timeout", () => {
	test("ends a program that ignores the request, with its children", async () => {
		const script = "trap '' TERM; setsid sleep 300 & sleep 300 & while :; do sleep 0.02; done";
		const result = await runHere(bash(script, { timeoutMs: 200 }), never);
		expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
		expect(result.ms).toBeGreaterThanOrEqual(2_000);
	});

	test("ends a stopped program", async () => {
		const result = await runHere(bash("kill -STOP $$", { timeoutMs: 200 }), never);
		expect(result).toMatchObject({ signal: "SIGTERM", timedOut: true });
	});

	test("longer than any timer does not fire at once", async () => {
		const result = await runHere(bash("exit 0", { timeoutMs: Number.MAX_SAFE_INTEGER }), never);
		expect(result).toMatchObject({ exitCode: 0, timedOut: false });
	});
});

describe("abort", () => {
	test("during the grace of a timeout cuts it short", async () => {
		const script = "trap '' TERM; while :; do sleep 0.02; done";
		const signal = AbortSignal.timeout(400);
		const before = performance.now();
		await expect(runHere(bash(script, { timeoutMs: 100 }), signal)).rejects.toThrow();
		expect(performance.now() - before).toBeLessThan(2_000);
	});
});
