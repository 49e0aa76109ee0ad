import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { type Stage, stage } from "./stage.ts";

let s: Stage;

beforeAll(async () => {
	s = await stage();
});

afterAll(() => s.close());

function environmentOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/environ`, "utf8");
	} catch {
		return "";
	}
}

/** Live processes whose environment holds a text. */
const bearersOf = (text: string): readonly string[] =>
	readdirSync("/proc").filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(text));

const secretOf = (name: string): string => `SANDBOX_TEST_${name}=${s.root}`;
const marked = (name: string, more: Record<string, string> = {}): Record<string, string> => ({
	...s.request(["true"]).env,
	[`SANDBOX_TEST_${name}`]: s.root,
	...more,
});

describe("how a confined program ends is told as without a sandbox", () => {
	test("exit codes, those of shells included", async () => {
		for (const code of [0, 1, 3, 126, 127, 145, 255]) {
			expect(await s.sh(`exit ${code}`)).toMatchObject({ exitCode: code, signal: null });
		}
	});

	test("signals", async () => {
		for (const name of ["KILL", "SEGV", "TERM", "ABRT"]) {
			const result = await s.sh(`kill -${name} $$`);
			expect(result, name).toMatchObject({ exitCode: null, signal: `SIG${name}` });
		}
	});

	test("a program that cannot be started", async () => {
		writeFileSync(join(s.checkout, "plain"), "not executable");
		const started = { started: false, exitCode: null };
		expect(await s.run(["no-such-program"])).toMatchObject({ ...started, startError: "ENOENT" });
		expect(await s.run(["./plain"])).toMatchObject({ ...started, startError: "EACCES" });
		expect(await s.run(["true"], { cwd: join(s.root, "none") })).toMatchObject({
			...started,
			startError: "ENOTDIR",
		});
		expect(await s.run(["true", "x".repeat(200_000)])).toMatchObject({
			...started,
			startError: "E2BIG",
		});
	});
});

test("a search path of the request's own finds no other sandbox on it", async () => {
	const bin = join(s.root, "bin");
	mkdirSync(bin);
	for (const name of ["bwrap", "socat", "which"]) {
		writeFileSync(join(bin, name), `#!/bin/sh\necho planted > ${s.root}/planted\n`, {
			mode: 0o755,
		});
	}
	const env = { PATH: `${bin}:${process.env["PATH"]}` };
	expect(await s.sh("echo fine", { env })).toMatchObject({ exitCode: 0, stdout: "fine\n" });
	expect(existsSync(join(s.root, "planted"))).toBe(false);
});

describe("what goes in and out", () => {
	test("arguments arrive as they are, long ones too", async () => {
		const args = [
			"a b",
			"'q'",
			'"d"',
			"$HOME `id` $(id)",
			"line\nbreak",
			"-x",
			"a=b",
			"",
			"ü☃",
			"\\",
		];
		const program = "console.log(JSON.stringify(process.argv.slice(1)))";
		const long = "y".repeat(100_000);
		const result = await s.run([process.execPath, "-e", program, "--", ...args, long]);
		expect(JSON.parse(result.stdout)).toEqual([...args, long]);
	});

	test("5 MB of standard input, and output as it comes", async () => {
		const heard: string[] = [];
		const stdin = `${"z".repeat(5_000_000)}end`;
		const result = await s.sh("wc -c; echo done", { stdin, onStdout: (text) => heard.push(text) });
		expect(result.stdout).toMatch(/^\s*5000003\ndone\n$/);
		expect(heard.join("")).toBe(result.stdout);
	});

	test("the environment is the request's, without what we have ourselves", async () => {
		const result = await s.sh("env", { env: { PATH: process.env["PATH"] ?? "", GIVEN: "yes" } });
		expect(result.stdout).toContain("GIVEN=yes\n");
		expect(result.stdout).not.toMatch(/^(VITEST|npm_config_user_agent|HOME)=/m);
	});

	test("a program that is spoken to while it runs", async () => {
		const request = s.request([
			process.execPath,
			"-e",
			'process.stdin.on("data", (d) => process.stdout.write("heard " + d)).on("end", () => process.exit(4))',
		]);
		const opened = await s.sandbox.host.open(request, new AbortController().signal);
		if (!("ended" in opened)) throw new Error("it did not start");
		opened.stdin.write("one");
		const answer = await once(opened.stdout, "data");
		expect(answer.join("")).toBe("heard one");
		opened.stdin.end();
		expect(await opened.ended).toMatchObject({ exitCode: 4, stdout: "heard one" });
	});

	test("one that is ended while it runs, and one that does not start", async () => {
		const { host } = s.sandbox;
		const { signal } = new AbortController();
		const opened = await host.open(s.request(["sh", "-c", "echo up; exec sleep 300"]), signal);
		if (!("ended" in opened)) throw new Error("it did not start");
		await once(opened.stdout, "data");
		opened.end();
		expect(await opened.ended).toMatchObject({ signal: "SIGTERM", timedOut: false });
		expect(await host.open(s.request(["no-such-program"]), signal)).toMatchObject({
			started: false,
			startError: "ENOENT",
		});
	});
});

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
	} catch {
		return "";
	}
}

const RUNS = `
	const sandbox = await openSandbox({ env, allowHosts: [], never: [] });
	const request = { command: ["sleep", "300"], cwd: process.cwd(), env, timeoutMs: 300000, mark: "life", writable: [] };
	setTimeout(() => console.log("up"), 500);
	await sandbox.host.run(request, new AbortController().signal);`;

/** Opens without end: it is always on the way to a sandbox. */
const OPENS = `
	for (;;) await (await openSandbox({ env, allowHosts: [], never: [] })).close();`;

/** Another process that has a sandbox, in a place of its own for temporary files. */
function lifeOf(name: string, script: string) {
	const source = join(import.meta.dirname, "../../src/process/sandbox/open-sandbox.ts");
	const secret = secretOf(name);
	const text = `
		import { openSandbox } from ${JSON.stringify(source)};
		const env = { PATH: process.env.PATH, SANDBOX_TEST_${name}: ${JSON.stringify(s.root)} };
		${script}`;
	const tmp = join(s.root, `life-${name}`);
	mkdirSync(tmp);
	const env = { PATH: process.env["PATH"] ?? "", TMPDIR: tmp };
	const life = spawn(process.execPath, ["--input-type=module", "-e", text], {
		env,
		cwd: s.root,
		stdio: ["ignore", "pipe", "inherit"],
	});
	return { life, tmp, secret };
}

async function nothingOf(secret: string, tmp: string): Promise<void> {
	await waitUntil("its files are gone", () => readdirSync(tmp).length === 0);
	await waitUntil("nothing is left", () => bearersOf(secret).length === 0);
}

describe("when a call ends nothing of it is left", () => {
	const daemons: Readonly<Record<string, string>> = {
		"in a session of its own": "setsid sleep 300 & sleep 0.1",
		"forked twice, with its output closed":
			"( ( setsid sleep 300 </dev/null >/dev/null 2>&1 & ) & ); sleep 0.1",
		"without our marker, elsewhere":
			"cd / && (env -i setsid sleep 300 </dev/null >/dev/null 2>&1 &); sleep 0.1",
		"deaf to signals":
			"(trap '' TERM HUP INT; setsid sh -c 'while :; do sleep 300; done' </dev/null >/dev/null 2>&1 &); sleep 0.1",
	};
	for (const [name, script] of Object.entries(daemons)) {
		test(`a daemon ${name}`, async () => {
			// What it does is seen from the outside: its program is a copy with a name of this test alone.
			const program = `spar-daemon-${process.pid}-${Object.keys(daemons).indexOf(name)}`;
			const own = script.replaceAll("sleep 300", `"$TMPDIR/${program}" 300`);
			const copy = `cp "$(command -v sleep)" "$TMPDIR/${program}"`;
			const result = await s.sh(`${copy}; ${own}; echo up`);
			expect(result).toMatchObject({ exitCode: 0, stdout: "up\n" });
			const commands = readdirSync("/proc").filter((pid) => {
				try {
					return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program);
				} catch {
					return false;
				}
			});
			expect(commands).toEqual([]);
		});
	}

	test("at its timeout, after time to end by itself", async () => {
		const script = "trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done";
		const env = marked("TIMEOUT");
		const result = await s.sh(script, { env, timeoutMs: 1_500 });
		expect(result).toMatchObject({ timedOut: true, exitCode: 5, stdout: "up\nbye\n" });
		expect(bearersOf(secretOf("TIMEOUT"))).toEqual([]);
	});

	test("at its timeout, although it does not listen", async () => {
		const env = marked("DEAF");
		const script = "trap '' TERM; while :; do sleep 0.05; done";
		const result = await s.sh(script, { env, timeoutMs: 1_000 });
		expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGKILL" });
		expect(bearersOf(secretOf("DEAF"))).toEqual([]);
	});

	test("when it is aborted", async () => {
		const controller = new AbortController();
		const env = marked("ABORT");
		const request = s.request(["sh", "-c", "echo up; setsid sleep 300 & sleep 300"], {
			env,
			onStdout: () => controller.abort(new Error("no more")),
		});
		await expect(s.sandbox.host.run(request, controller.signal)).rejects.toThrow("no more");
		expect(bearersOf(secretOf("ABORT"))).toEqual([]);
	});

	test("when we are killed: the program, the proxies, the relays", async () => {
		const { life, tmp, secret } = lifeOf("RUNS", RUNS);
		await once(life.stdout, "data");
		expect(bearersOf(secret).length).toBeGreaterThan(3);
		life.kill("SIGKILL");
		await nothingOf(secret, tmp);
	});

	test("when we and the helper are killed together: the relays and the files as well", async () => {
		const { life, tmp, secret } = lifeOf("BOTH", RUNS);
		await once(life.stdout, "data");
		const helpers = bearersOf(secret).filter((pid) => commandOf(pid).includes("runtime-process"));
		const program = helpers.filter((pid) => !commandOf(pid).startsWith("/bin/sh"));
		expect(program).toHaveLength(1);
		// Stopped, we do not notice that the helper goes first: then we would end what is to clean up, and do it ourselves.
		life.kill("SIGSTOP");
		for (const pid of [...program, String(life.pid)]) process.kill(Number(pid), "SIGKILL");
		await nothingOf(secret, tmp);
	});

	// The guard, the helper, the relay, what the trial is made of: whatever has come so far ends.
	for (const many of [1, 2, 3, 4, 8]) {
		test(`when we are killed while it opens, at the process number ${many}`, async () => {
			const { life, tmp, secret } = lifeOf(`OPENS_${many}`, OPENS);
			await waitUntil("it has begun", () => bearersOf(secret).length >= many);
			life.kill("SIGKILL");
			await nothingOf(secret, tmp);
		});
	}
});

test("a sandbox whose helper process was killed starts another one", async () => {
	const own = await stage({
		env: { PATH: process.env["PATH"] ?? "", SANDBOX_TEST_HELPER: s.root },
	});
	try {
		const helpers = bearersOf(secretOf("HELPER"));
		expect(helpers.length).toBeGreaterThan(1);
		for (const pid of helpers) process.kill(Number(pid), "SIGKILL");
		await waitUntil("they are gone", () => bearersOf(secretOf("HELPER")).length === 0);
		expect(await own.sh("echo again")).toMatchObject({ exitCode: 0, stdout: "again\n" });
	} finally {
		await own.close();
	}
});

test("a closed sandbox leaves no process and no directory, and starts nothing more", async () => {
	const own = await stage({
		env: { PATH: process.env["PATH"] ?? "", SANDBOX_TEST_CLOSED: s.root },
	});
	try {
		const directories = bearersOf(secretOf("CLOSED")).map((pid) =>
			readlinkSync(`/proc/${pid}/cwd`),
		);
		expect(directories.filter((path) => existsSync(path))).not.toEqual([]);
		await own.sandbox.close();
		await own.sandbox.close();
		expect(bearersOf(secretOf("CLOSED"))).toEqual([]);
		expect(directories.filter((path) => existsSync(path))).toEqual([]);
		const refused = await own.sh("true");
		expect(refused.started).toBe(false);
		expect(refused.startError).toMatch(/^sandbox: /);
	} finally {
		await own.close();
	}
});
