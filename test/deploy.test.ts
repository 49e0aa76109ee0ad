import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { fakeShell } from "../src/cli/fakes.contract.ts";
import { wholeProgram } from "../src/cli/program.ts";
import { thorough } from "./support/amount.ts";
import { privateRemote } from "./support/private-remote.ts";

const read = (file: string): string => readFileSync(`deploy/${file}`, "utf8");

const service = z.object({
	image: z.string().optional(),
	build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
	command: z.array(z.string()).optional(),
	environment: z.record(z.string(), z.string()).optional(),
	ports: z.array(z.string()).optional(),
	volumes: z.array(z.string()).optional(),
	depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
	restart: z.string().optional(),
	stop_signal: z.string().optional(),
	stop_grace_period: z.string().optional(),
	healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const { services, volumes } = z
	.object({
		services: z.record(z.string(), service),
		volumes: z.record(z.string(), z.object({})),
	})
	.parse(parse(read("compose.yaml"), { merge: true }));
const workers = ["worker-1", "worker-2"].map((name) => services[name]);

/** Calls of spar in a text: the words behind the name, up to what ends a command of a shell. */
function callsIn(text: string): readonly (readonly string[])[] {
	return [...text.matchAll(/(?:^|[\s"])spar ((?:worker|workers|store|run)\b[^\n&|;"]*)/g)].map(
		([, words = ""]) =>
			words
				.trim()
				.split(/\s+/)
				.filter((word) => word !== '"$@"' && word !== ""),
	);
}

/** Reads words as the command line would, and does nothing. */
async function accepted(words: readonly string[]): Promise<void> {
	const program = await wholeProgram(fakeShell());
	let command = program;
	let rest = words.map((word) => word.replace(/^"?\$\{\w+:-(\w+)\}"?$/, "$1"));
	for (;;) {
		const next = command.commands.find((each) => each.name() === rest[0]);
		if (next === undefined) break;
		command = next;
		rest = rest.slice(1);
	}
	await command.action(() => undefined).parseAsync(rest, { from: "user" });
}

thorough("each command that the files call is one that spar has, with its options", async () => {
	const shell = read("worker.sh").replaceAll(/"(\$\{[^}]+\})"/g, "$1");
	const calls = [shell, read("sparring-worker.service")].flatMap(callsIn);
	expect(calls.map((words) => words[0])).toEqual(["store", "worker", "worker"]);
	for (const words of calls) await accepted(words);
	await expect(accepted(["worker", "--gone"])).rejects.toThrow("unknown option '--gone'");
});

test("two workers of one image come after the database, and a stop lets them finish", () => {
	expect(Object.keys(services)).toEqual(["postgres", "nats", "worker-1", "worker-2"]);
	for (const worker of workers) {
		expect(worker).toMatchObject({
			build: { dockerfile: "deploy/Dockerfile" },
			stop_signal: "SIGTERM",
			depends_on: { postgres: { condition: "service_healthy" } },
		});
		expect(worker?.stop_grace_period).toMatch(/h$/);
		expect(worker?.environment).toMatchObject({
			SPAR_STORE: expect.stringMatching(/^postgres:\/\/spar@postgres\//) as unknown,
			SPAR_REPOSITORY: expect.stringContaining(":?") as unknown,
		});
		expect(worker?.healthcheck?.test.at(-1)).toContain(
			'"http://127.0.0.1:" + process.env.SPAR_HEALTH',
		);
	}
	// A clone has one worker.
	expect(workers[0]?.volumes).not.toEqual(workers[1]?.volumes);
	const named = Object.values(services).flatMap(({ volumes: own = [] }) =>
		own.map((volume) => volume.split(":")[0]),
	);
	expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
	expect(named).toHaveLength(Object.keys(volumes).length);
});

test("servers are reached from this machine alone", () => {
	const ports = Object.values(services).flatMap(({ ports: own = [] }) => own);
	expect(ports).toHaveLength(2);
	expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
});

thorough("the health check of a container is a program that ends by what the worker says", () => {
	const [, program = "", flag = "", script = ""] = workers[0]?.healthcheck?.test ?? [];
	expect([program, flag]).toEqual(["node", "-e"]);
	const { status, stderr } = spawnSync(process.execPath, [flag, script], {
		encoding: "utf8",
		// Nobody listens there.
		env: { PATH: process.env["PATH"], SPAR_HEALTH: "1" },
	});
	expect([status, stderr]).toEqual([1, ""]);
});

test("ports, passwords and the file of a key are variables, with the same password on both sides", () => {
	const text = read("compose.yaml");
	for (const name of ["POSTGRES_PORT", "NATS_PORT", "HEALTH", "SLOTS", "GIT_KEY", "GIT_TOKEN"])
		expect(text).toContain(`\${SPAR_${name}:-`);
	expect(services["nats"]?.command?.slice(-4)).toEqual([
		"--user",
		workers[0]?.environment?.["NATS_USER"],
		"--pass",
		workers[0]?.environment?.["NATS_PASSWORD"],
	]);
	expect(services["postgres"]?.environment?.["POSTGRES_PASSWORD"]).toBe(
		workers[0]?.environment?.["PGPASSWORD"],
	);
});

test("a worker that was drained comes back in both, and one that was stopped stays down", () => {
	expect(workers.map((worker) => worker?.restart)).toEqual(["unless-stopped", "unless-stopped"]);
	expect(read("sparring-worker.service")).toMatch(/^Restart=always$/m);
});

test("the image has the programs of the sandbox, and what a repository in another language needs", () => {
	const dockerfile = read("Dockerfile");
	expect(dockerfile).toMatch(/--no-install-recommends bubblewrap .*\bsocat\b/);
	expect(dockerfile).toContain('"@anthropic-ai/sandbox-runtime@');
	expect(dockerfile).toContain("install --yes --no-install-recommends $PACKAGES");
});

let scratch: string;
beforeEach(() => {
	scratch = mkdtempSync(join(tmpdir(), "spar-deploy-"));
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** A bare repository with one file. */
function aRemote(): string {
	const git = (cwd: string, ...args: readonly string[]) => execFileSync("git", args, { cwd });
	const [work, remote] = [join(scratch, "made"), join(scratch, "private.git")];
	git(scratch, "init", "-q", "-b", "main", work);
	writeFileSync(join(work, "README"), "private\n");
	git(work, "add", "-A");
	git(work, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "base");
	git(scratch, "clone", "-q", "--bare", work, remote);
	return remote;
}

/** Runs what a container runs, with a `spar` that says how it was called. */
async function starts(
	env: Readonly<Record<string, string>>,
	programs: Record<string, string> = {},
) {
	const [bin, volume] = [join(scratch, "bin"), join(scratch, "volume")];
	for (const folder of [bin, volume]) mkdirSync(folder, { recursive: true });
	const spar =
		'echo "spar $1 in $PWD, state $XDG_STATE_HOME, token $(printenv SPAR_GIT_TOKEN || echo unset)"';
	for (const [name, text] of Object.entries({ spar, ...programs }))
		writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
	const child = spawn("sh", [join(import.meta.dirname, "../deploy/worker.sh")], {
		cwd: volume,
		env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: scratch, GIT_TERMINAL_PROMPT: "0", ...env },
		stdio: ["ignore", "pipe", "ignore"],
	});
	let said = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		said += text;
	});
	const [code] = (await once(child, "close")) as readonly unknown[];
	return { code, said, volume };
}

thorough(
	"a private repository is cloned with a token, which no program gets to see, and not without",
	async () => {
		const { address, close } = await privateRemote(aRemote(), "secret-1");
		try {
			expect(await starts({ SPAR_REPOSITORY: address })).toMatchObject({ code: 128, said: "" });
			const told = await starts({ SPAR_REPOSITORY: address, SPAR_GIT_TOKEN: "secret-1" });
			const { volume } = told;
			const where = `in ${volume}/clone, state ${volume}/state, token unset`;
			expect(told).toEqual({
				code: 0,
				said: `spar store ${where}\nspar worker ${where}\n`,
				volume,
			});
			expect(readFileSync(join(volume, "clone/README"), "utf8")).toBe("private\n");
			expect(statSync(join(scratch, ".netrc")).mode & 0o777).toBe(0o600);
			const config = readFileSync(join(volume, "clone/.git/config"), "utf8");
			expect(config).not.toContain("secret-1");
		} finally {
			await close();
		}
	},
);

thorough("a private repository is cloned with a key that is mounted", async () => {
	const remote = aRemote();
	const key = join(scratch, "key");
	writeFileSync(key, "a key\n", { mode: 0o644 });
	// What git starts, with the command for the other side at the end.
	const ssh = `echo "$@" > ${scratch}/asked; exec git-upload-pack ${remote}`;
	const env = { SPAR_REPOSITORY: "git@forge.example:team/private.git", SPAR_GIT_KEY_FILE: key };
	const { code, volume } = await starts(env, { ssh });
	expect(code).toBe(0);
	expect(readFileSync(join(volume, "clone/README"), "utf8")).toBe("private\n");
	const own = join(scratch, ".ssh/sparring");
	expect(readFileSync(join(scratch, "asked"), "utf8")).toContain(`-i ${own} -o IdentitiesOnly=yes`);
	expect([readFileSync(own, "utf8"), statSync(own).mode & 0o777]).toEqual(["a key\n", 0o600]);
});

thorough("files that the image copies are there, and the shell reads its script", () => {
	const dockerfile = read("Dockerfile");
	expect(dockerfile).toContain("COPY deploy/worker.sh ");
	expect(dockerfile).toMatch(/^FROM node:24-/m);
	expect(spawnSync("sh", ["-n", "deploy/worker.sh"]).status).toBe(0);
	const { status, stderr } = spawnSync("sh", ["deploy/worker.sh"], {
		encoding: "utf8",
		env: { PATH: process.env["PATH"] },
	});
	expect(status).not.toBe(0);
	expect(stderr).toContain("SPAR_REPOSITORY");
});

const analyze = spawnSync("systemd-analyze", ["--version"], { encoding: "utf8" });

thorough("the unit lets a worker finish, and systemd reads it where it is installed", () => {
	const unit = read("sparring-worker.service");
	expect(unit).toContain("KillMode=mixed\n");
	expect(unit).toMatch(/^TimeoutStopSec=\d+h$/m);
	if (analyze.status !== 0) return;
	const args = ["verify", "deploy/sparring-worker.service"];
	const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
	expect([status, stdout + stderr]).toEqual([0, ""]);
});
