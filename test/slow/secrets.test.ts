import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, stage } from "../acceptance/stage.ts";
import {
	CONFIG_VALUE,
	ENV_VALUE,
	KNOWN_SECRETS,
	secretsIn,
	VENDOR_SECRETS,
} from "../support/planted-secrets.ts";
import { USER_HOME } from "../support/user-home.ts";

/**
 * Agents, checks, a setup and a person that blurt out a secret of each kind wherever they can; afterwards every byte
 * that Sparring wrote, printed or handed to a child is looked at. The work itself is none of it: commits, checkouts.
 */
const SECRETS = [...KNOWN_SECRETS, ...VENDOR_SECRETS];
const SAID = SECRETS.map(({ text }) => text).join("\n");
const [FIRST_VENDOR] = VENDOR_SECRETS;
/** A name that is the value of a secret variable too: nothing may break by that, nor by the resume. */
const TASK = "leaky-one";

/** A field of reports that decides, and the value of a secret variable too. */
const FIELD = "severity";

const LEAKY = join(import.meta.dirname, "..", "support", "leaky-agent.mjs");
const leaky = { adapter: "command", run: ["node", LEAKY], timeout: "60s" } as const;

/** Prints everything, and a list of tests whose names are secrets; a private key has no line to be one. What tells its
 * lines stands elsewhere, where no run with a wrong value changes it. */
const CHECK = `cat "${USER_HOME}/secrets.txt" >&2
echo "TAP version 13"
grep -v -f "${USER_HOME}/key-lines" "${USER_HOME}/secrets.txt" > names
awk '{ print "ok " NR " - works " $0 } END { print "1.." NR }' names
rm names
env > "${USER_HOME}/received/check-$$.txt"
`;

/** Prints everything, and the first secret once more in two halves, between which the other stream says something. */
const SETUP = `cat "${USER_HOME}/secrets.txt"
env > "${USER_HOME}/received/setup-$$.txt"
head -c 13 "${USER_HOME}/secrets.txt"
echo "a warning" >&2
tail -c +14 "${USER_HOME}/secrets.txt" | head -n 1
exit 0
`;

const NOTE = `printf '%s\\n' "$@" >> "$HOME/received/note.txt"; env >> "$HOME/received/note.txt"`;

const printed: { readonly what: string; readonly text: string }[] = [];
const posted: string[] = [];
let server: Server;
let set: Stage;

async function spar(...args: readonly string[]): Promise<{ code: number | null; stdout: string }> {
	const { code, stdout, stderr } = await set.spar(args, {
		env: { SERVICE_TOKEN: ENV_VALUE, OTHER_TOKEN: TASK, THIRD_TOKEN: FIELD },
	});
	const what = args.map((word) => (word.length > 30 ? "..." : word)).join(" ");
	printed.push({ what: `stdout of ${what}`, text: stdout });
	printed.push({ what: `stderr of ${what}`, text: stderr });
	return { code, stdout };
}

function stageWith(address: string): Stage {
	const made = stage({
		human: true,
		steps: [],
		files: {
			"check.sh": CHECK,
			"setup.sh": SETUP,
		},
		workflow: {
			tasks: {
				[TASK]: {
					agent: "dev",
					description: `Do the work with ${FIRST_VENDOR?.text ?? ""}.`,
					acceptance_criteria: [`it works with ${FIRST_VENDOR?.text ?? ""}`, "it is done"],
					requires_human: true,
					overlays: {
						paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
						confidence_loop: {
							enabled: true,
							threshold: 0.99,
							metrics: [{ type: "llm_judge", weight: 1, evaluator_agent: "judge" }],
						},
					},
				},
			},
			agents: { dev: leaky, coach: leaky, judge: leaky, arbiter: leaky },
			tie_breaker: "arbiter",
			setup: [`sh setup.sh --token=${CONFIG_VALUE}`],
			checks: {
				tests: {
					kind: "acceptance",
					run: `sh check.sh --token=${CONFIG_VALUE}`,
					report: { format: "tap" },
				},
			},
			human: {
				enabled: true,
				notify: {
					on_created: [
						{ type: "command", run: ["sh", "-c", NOTE, "note", `\${REASON}`, `\${TASK_ID}`] },
						{ type: "command", run: ["sh", "-c", 'cat "$HOME/secrets.txt" >&2; exit 3'] },
						{ type: "webhook", url: `${address}/hook` },
					],
				},
			},
		},
	});
	writeFileSync(join(made.repo.home, "secrets.txt"), `${SAID}\n`);
	writeFileSync(join(made.repo.home, "key-lines"), "-----\n^[A-Za-z0-9]\\{64\\}$\n");
	mkdirSync(join(made.repo.home, "received"));
	return made;
}

/** Answers whatever a person is asked until the run is at its end. */
async function answerAll(): Promise<readonly string[]> {
	const triggers: string[] = [];
	for (let round = 0; round < 4; round += 1) {
		const { stdout } = await spar("hil", "list", "--json");
		// The contract says that it is a list of such items.
		const items = JSON.parse(stdout) as { id: string; trigger: string; status: string }[];
		const open = items.find(({ status }) => status === "PENDING");
		if (open === undefined) break;
		triggers.push(open.trigger);
		await spar("hil", "show", open.id);
		await spar("hil", "show", open.id, "--json");
		const words = open.trigger === "requires_human" ? [] : ["--directive", `Do ${SAID}`];
		await spar("hil", "resolve", open.id, ...words, "--notes", SAID);
		await spar("hil", "show", open.id, "--json");
		await spar("resume", "--events");
	}
	return triggers;
}

let triggers: readonly string[] = [];
let record = "";

beforeAll(async () => {
	server = createServer((request, response) => {
		request.setEncoding("utf8").on("data", (piece: string) => posted.push(piece));
		request.on("end", () => response.writeHead(204).end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	// A server that listens on a port has an address of this shape.
	const { port } = server.address() as AddressInfo;
	set = stageWith(`http://127.0.0.1:${port}`);
	record = join(set.repo.home, "run.jsonl");
	await spar("validate");
	await spar("run", "--dry-run");
	await spar("run", "--dry-run", "--json");
	await spar("run", "--events", "--record", record);
	triggers = await answerAll();
	for (const command of ["trace", "findings", "gate", "diff"]) await spar(command, TASK);
	for (const command of ["trace", "findings", "gate"]) await spar(command, TASK, "--json");
	for (const command of ["status", "runs", "land"]) await spar(command);
	await spar("status", "--json");
	await spar("hil", "show", VENDOR_SECRETS.map(({ text }) => text).join("\n"));
	await spar("trace", FIRST_VENDOR?.text ?? "");
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

/** The work itself: what agents and checks were given to work in, and git's own store. */
const WORK = /\/(?:player|checks|coach|integration|landing|vault[^/]*|objects)(?:\/|$)/;

function filesBelow(root: string): string[] {
	return readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => !WORK.test(path.slice(root.length).split(sep).join("/")));
}

const found = (what: string, bytes: Buffer | string): string[] =>
	secretsIn(bytes, SECRETS).map((kind) => `${kind} in ${what}`);

const foundBelow = (root: string): string[] =>
	filesBelow(root).flatMap((path) => found(path.slice(root.length), readFileSync(path)));

describe("a planted secret of each kind, sent through every path, is found nowhere afterwards by a byte search", () => {
	test("the scenario has really been through: agents, questions, answers and the end of the run", async () => {
		expect(triggers).toEqual(["conflict", "requires_human"]);
		const { stdout } = await spar("status", "--json");
		expect(JSON.parse(stdout)).toMatchObject({
			status: "completed",
			tasks: { [TASK]: { status: "completed", merged: true, challenger_approved: true } },
		});
		// The search does find what is there.
		expect(found("itself", SAID)).toHaveLength(SECRETS.length);
		expect(set.repo.git("show", `main:leak.txt`)).toContain(ENV_VALUE);
	});

	test("not in the state directory: database, traces, transcripts, gate reports, sessions, diffs, outputs", () => {
		const root = join(set.repo.root, ".sparring");
		const names = filesBelow(root).join("\n");
		for (const part of ["sparring.db", "traces/", "transcripts/", "gate-reports/", "evidence/"]) {
			expect(names).toContain(part);
		}
		expect(names).toContain("pair-sessions/");
		expect(names).toMatch(/\.patch$/m);
		expect(foundBelow(root)).toEqual([]);
	});

	test("not in the place of the checkouts, beside the work", () => {
		expect(foundBelow(join(set.repo.home, "checkouts"))).toEqual([]);
	});

	test("not in what any command printed, events and errors included", () => {
		expect(printed.some(({ text }) => text.includes("[MASKED:"))).toBe(true);
		expect(printed.flatMap(({ what, text }) => found(what, text))).toEqual([]);
	});

	test("not in what agents, checks, setups and notifications were given", () => {
		const root = join(set.repo.home, "received");
		const names = filesBelow(root).join("\n");
		for (const part of [
			"player-1",
			"coach-2",
			"evaluator-1",
			"tie_breaker-2",
			"check-",
			"setup-",
			"note.txt",
		]) {
			expect(names).toContain(part);
		}
		expect(foundBelow(root)).toEqual([]);
		expect(posted.join("")).toContain("item_created");
		expect(found("the webhook", posted.join(""))).toEqual([]);
	});

	test("not in commit messages, and not in the cassette", () => {
		expect(found("a message", set.repo.git("log", "--all", "--format=%B%an%ae"))).toEqual([]);
		const cassette = readFileSync(record, "utf8");
		expect(cassette).toContain("[MASKED:");
		expect(found("the cassette", cassette)).toEqual([]);
	});

	test("the same secret has the same mark wherever it stands", () => {
		const marks = (text: string): string[] => text.match(/\[MASKED:env:[0-9a-f]{4}\]/g) ?? [];
		const cassette = readFileSync(record, "utf8");
		const trace = readFileSync(join(set.repo.root, ".sparring/traces", `${TASK}.json`), "utf8");
		const all = [cassette, trace, ...printed.map(({ text }) => text)].flatMap(marks);
		expect(all.length).toBeGreaterThan(10);
		// Of two variables; the third one's value reads like a report's field, and fields stay.
		expect(new Set(all).size).toBe(2);
	});
});
