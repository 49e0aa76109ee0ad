import { globSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import {
	APPROVES,
	dataOf,
	listWith,
	type Outcome,
	outcomeOf,
	type Stage,
	stage,
	textLike,
	WORKS,
} from "./stage.ts";

const SECRET = "hook-secret-4711";
const ROOM = "room-behind-the-door";

interface Posted {
	readonly path: string | undefined;
	readonly headers: IncomingHttpHeaders;
	readonly body: unknown;
}

let server: Server;
let address: string;
const posted: Posted[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		let text = "";
		request.setEncoding("utf8").on("data", (piece: string) => {
			text += piece;
		});
		request.on("end", () => {
			posted.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
			response.writeHead(request.url === "/broken" ? 500 : 204).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	// A server that listens on a port has an address of this shape.
	address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const NOTE = 'echo "$1 $2 $3" >> notes.txt';

let set: Stage;
let paused: Outcome;

beforeAll(async () => {
	set = stage({
		human: true,
		steps: [WORKS, APPROVES],
		task: { requires_human: true },
		workflow: {
			human: {
				enabled: true,
				notify: {
					on_created: [
						{
							type: "command",
							run: ["sh", "-c", NOTE, "note", `\${TASK_ID}`, `\${TRIGGER}`, `\${ITEM_ID}`],
						},
						{ type: "command", run: ["sh", "-c", "echo no display >&2; exit 3"] },
						{ type: "command", run: ["no-such-program-at-all"] },
						{ type: "webhook", url: `\${HOOK}`, headers: { "X-Room": `\${ROOM}` } },
						{ type: "webhook", url: `${address}/broken` },
						{ type: "webhook", url: `\${NO_SUCH_VARIABLE}` },
					],
					on_t2_gate: [{ type: "command", run: ["sh", "-c", "echo t2 >> notes.txt"] }],
				},
			},
		},
	});
	const env = { HOOK: `${address}/${SECRET}`, ROOM };
	paused = outcomeOf(await set.spar(["run", "--json"], { env }));
});

const itemId = (): string => paused.task.human_item ?? "";

describe("when a question is stored", () => {
	test("a command is run in the repository with its values, once, and the run exits with 3", () => {
		expect(paused.code).toBe(3);
		expect(set.repo.read("notes.txt")).toBe(`one requires_human ${itemId()}\n`);
	});

	test("a webhook gets it as JSON, with its header from the environment", () => {
		const [note, ...more] = posted.filter(({ path }) => path === `/${SECRET}`);
		expect(more).toEqual([]);
		expect(note?.headers).toMatchObject({ "x-room": ROOM, "content-type": "application/json" });
		expect(note?.body).toMatchObject({
			event: "item_created",
			item_id: itemId(),
			task_id: "one",
			run_id: paused.report.run_id,
			trigger: "requires_human",
			choices: ["continue"],
		});
	});

	test("each one that fails is told with its reason, and stands in the way of nothing", () => {
		const told = dataOf(set.trace(), "person-notified");
		expect(told).toHaveLength(6);
		const failed = (reason: unknown) => ({ outcome: "failed", reason });
		expect(told).toEqual(
			listWith(
				{ item: itemId(), target: "command sh", outcome: "sent", reason: null },
				{ item: itemId(), target: `webhook ${address}`, outcome: "sent", reason: null },
				failed(textLike(/^the address needs NO_SUCH_VARIABLE/)),
				failed(textLike(/^the program did not start: ENOENT/)),
				failed("the program ended with 3: no display"),
				failed("the service answered 500"),
			),
		);
		expect(paused.stderr).toContain(`nobody was told of question ${itemId()}`);
		expect(paused.task.status).toBe("paused_for_human");
	});

	test("no address or header of the environment is written anywhere", () => {
		const trace = JSON.stringify(set.trace());
		const stored = globSync("**/*", { cwd: join(set.repo.root, ".sparring") })
			.map((path) => join(set.repo.root, ".sparring", path))
			.filter((path) => statSync(path).isFile())
			.map((path) => readFileSync(path, "latin1"));
		expect(stored.length).toBeGreaterThan(3);
		for (const text of [trace, paused.stdout, paused.stderr, ...stored]) {
			expect(text).not.toContain(SECRET);
			expect(text).not.toContain(ROOM);
		}
	});
});

thorough("the run goes on after the answer, and nobody is told twice", async () => {
	const before = posted.length;
	expect((await set.spar(["hil", "resolve", itemId()])).code).toBe(0);
	const done = await set.resume();
	expect(done).toMatchObject({ code: 0, task: { status: "completed", merged: true } });
	expect(posted).toHaveLength(before);
	expect(set.repo.read("notes.txt")?.split("\n")).toHaveLength(2);
});

test("spar gate and spar findings print what was stored", async () => {
	expect(await set.json("gate", "one")).toMatchObject({
		run_id: paused.report.run_id,
		task_id: "one",
		risk_tier: "T0",
		verdict: "PASS",
	});
	expect(await set.json("findings", "one")).toEqual([]);
	expect(await set.json("calibration")).toEqual([]);
	expect((await set.spar(["gate", "two"])).code).toBe(2);
});

const TELLS_END = {
	enabled: true,
	notify: {
		on_end: [
			{
				type: "command",
				run: [
					"sh",
					"-c",
					'echo "$0 $1 $2" >> "$HOME/ends"',
					`\${STATUS}`,
					`\${WORKFLOW}`,
					`\${RUN_ID}`,
				],
			},
		],
	},
};

thorough("the end of a run is told, and before it each time that the run waits", async () => {
	const made = stage({
		human: true,
		steps: [WORKS, APPROVES],
		task: { requires_human: true },
		workflow: { name: "ends", human: TELLS_END },
	});
	const waiting = await made.run();
	const { run_id: run } = waiting.report;
	expect(made.kept("ends")).toBe(`paused_for_user_escalation ends ${run}\n`);
	await made.spar(["hil", "resolve", waiting.task.human_item ?? ""]);
	const done = await made.spar(["resume"]);
	expect(done.code).toBe(0);
	expect(done.stderr).toContain("told of the run: command sh");
	expect(made.kept("ends")).toBe(`paused_for_user_escalation ends ${run}\ncompleted ends ${run}\n`);
});
