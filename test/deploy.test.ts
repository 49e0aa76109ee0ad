import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { fakeShell } from "../src/cli/fakes.contract.ts";
import { wholeProgram } from "../src/cli/program.ts";

const read = (file: string): string => readFileSync(`deploy/${file}`, "utf8");

const service = z.object({
	image: z.string().optional(),
	build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
	command: z.array(z.string()).optional(),
	environment: z.record(z.string(), z.string()).optional(),
	ports: z.array(z.string()).optional(),
	volumes: z.array(z.string()).optional(),
	depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
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

test("each command that the files call is one that spar has, with its options", async () => {
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
		expect(worker?.healthcheck?.test.at(-1)).toContain("127.0.0.1:9464/live");
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

test("the health check of a container is a program that ends by what the worker says", () => {
	const [, program = "", flag = "", script = ""] = workers[0]?.healthcheck?.test ?? [];
	expect([program, flag]).toEqual(["node", "-e"]);
	// Nobody listens there.
	const free = script.replace("9464", "1");
	const { status, stderr } = spawnSync(process.execPath, [flag, free], {
		encoding: "utf8",
		env: { PATH: process.env["PATH"] },
	});
	expect([status, stderr]).toEqual([1, ""]);
});

test("files that the image copies are there, and the shell reads its script", () => {
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

test("the unit lets a worker finish, and systemd reads it where it is installed", () => {
	const unit = read("sparring-worker.service");
	expect(unit).toContain("KillMode=mixed\n");
	expect(unit).toMatch(/^TimeoutStopSec=\d+h$/m);
	if (analyze.status !== 0) return;
	const args = ["verify", "deploy/sparring-worker.service"];
	const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
	expect([status, stdout + stderr]).toEqual([0, ""]);
});
