import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../src/process/environment.ts";
import { findProgram } from "../../src/process/find-program.ts";
import { openSandbox } from "../../src/process/sandbox/open-sandbox.ts";
import { type Stage, stage } from "./stage.ts";

/** Listens on a Unix socket, and then speaks to itself; a path below `TMPDIR`, or one in the abstract namespace. */
const serving = (path: string): [string, ...string[]] => [
	process.execPath,
	"-e",
	`const net = require("node:net"), path = ${path};
	const server = net.createServer((socket) => socket.end("mine"));
	server.on("error", (e) => console.log(e.syscall, e.code));
	server.listen(path, () => net.connect(path).on("data", (text) => {
		console.log(String(text));
		server.close();
	}));`,
];

const IN_TMPDIR = 'require("node:path").join(process.env.TMPDIR, "a.sock")';

const connecting = (path: string): [string, ...string[]] => [
	process.execPath,
	"-e",
	`require("node:net").connect(${JSON.stringify(path)})
		.on("error", (e) => console.log(e.code)).on("data", (text) => console.log(String(text)))`,
];

let open: Stage;
let shut: Stage;
const services: Server[] = [];

/** A service of this machine. */
async function service(path: string): Promise<string> {
	const server = createServer((socket) => socket.end("host"));
	services.push(server);
	server.listen(path);
	await once(server, "listening");
	return path;
}

const hidden = (s: Stage): string => join(s.root, "hidden");

beforeAll(async () => {
	shut = await stage();
	const runtime = join(shut.root, "session");
	mkdirSync(runtime);
	mkdirSync(hidden(shut));
	open = await stage({
		env: { ...childEnvironment(process.env), XDG_RUNTIME_DIR: runtime },
		unixSockets: true,
		hidden: [hidden(shut), join(shut.root, "alone.sock")],
	});
});

afterAll(async () => {
	for (const server of services) server.close();
	await open.close();
	await shut.close();
});

describe("a confined process that is allowed Unix sockets", () => {
	test("serves on one in its temporary directory", async () => {
		expect(await open.run(serving(IN_TMPDIR))).toMatchObject({ exitCode: 0, stdout: "mine\n" });
	});

	test("reaches none in a hidden place: the session's directory, a named directory, a named socket", async () => {
		const places = [join("session", "bus"), join("hidden", "a.sock"), "alone.sock"];
		for (const place of places) {
			const path = await service(join(shut.root, place));
			const result = await open.run(connecting(path));
			expect(result.stdout, place).toMatch(/^(ENOENT|ECONNREFUSED|EACCES|ENOTSOCK)\n$/);
		}
	});

	test("reaches every other one that the user may use", async () => {
		const path = await service(join(shut.root, "other.sock"));
		expect((await open.run(connecting(path))).stdout).toBe("host\n");
	});

	test("has abstract sockets of its own, and sees none of the machine", async () => {
		const name = `\0spar-test-${process.pid}`;
		await service(name);
		expect((await open.run(connecting(name))).stdout).toBe("ECONNREFUSED\n");
		const own = await open.run(serving(JSON.stringify(name)));
		expect(own.stdout).toBe("mine\n");
	});

	test("makes no user namespace, in which it could undo what is hidden", async () => {
		const result = await open.run(["unshare", "-U", "true"]);
		expect(result.exitCode).not.toBe(0);
		expect(result.stderr).toContain("unshare");
	});

	test("has no children that it did not start, and ends as it wants", async () => {
		const result = await open.sh("cat /proc/$$/task/$$/children; exit 7");
		expect(result.exitCode).toBe(7);
		expect(result.stdout.trim().split(" ")).toHaveLength(1);
		expect(await open.sh("kill -KILL $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
	});

	test("gets the time between SIGTERM and SIGKILL, and what it left ends with it", async () => {
		const result = await open.sh("trap 'echo ended; exit 3' TERM; sleep 100 & echo on; wait", {
			timeoutMs: 1_500,
		});
		expect(result).toMatchObject({ timedOut: true, stdout: "on\nended\n" });
	});

	test("still writes in its own places only", async () => {
		const result = await open.sh(`echo x >> ${open.repository}/a.txt`);
		expect(result.stderr).toMatch(/Read-only file system/);
	});
});

test("there is no such sandbox where user namespaces can be made in it, as with an old bubblewrap", async () => {
	const env = childEnvironment(process.env);
	const bin = join(shut.root, "bin");
	mkdirSync(bin);
	writeFileSync(
		join(bin, "bwrap"),
		`#!/bin/sh
for word do
	shift
	[ "$word" = --disable-userns ] || set -- "$@" "$word"
done
exec ${findProgram("bwrap", env["PATH"] ?? "", "/")} "$@"
`,
	);
	chmodSync(join(bin, "bwrap"), 0o755);
	const old = { allowHosts: [], never: [], env: { ...env, PATH: `${bin}:${env["PATH"]}` } };
	const opened = await openSandbox({ ...old, unixSockets: true });
	if (opened.available) await opened.close();
	expect(opened.available ? "opened" : opened.reason).toContain("bubblewrap 0.8.0");
	const strict = await openSandbox(old);
	expect(strict.available).toBe(true);
	if (strict.available) await strict.close();
});

describe("a confined process that is not", () => {
	test("serves on none", async () => {
		const result = await shut.run(serving(IN_TMPDIR));
		expect(result.stdout).toBe("listen EPERM\n");
	});
});
