import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import type { Clock } from "../../kernel/clock.ts";
import { fillTemplate } from "../../kernel/fill-template.ts";
import { webhookAddress } from "../../kernel/webhook.ts";
import { maskerFor } from "../../masking/masking.ts";
import { ITEM_VALUE_NAMES } from "../../workflow/limits.ts";
import type { Notifier } from "../../workflow/workflow.ts";
import type { HumanItem } from "../human-item.ts";
import { anItem, type ItemPart } from "../item-builder.contract.ts";
import type { Trigger } from "../question.ts";
import { itemBody, itemValues, notificationsFor, webhookRequest } from "./notification.ts";
import {
	type Delivery,
	type NotifyPorts,
	notify,
	notifyCommand,
	notifyEnd,
	type ProgramEnd,
} from "./notify.ts";

const SECRET = "hunter2hunter2";
const masker = maskerFor([{ value: SECRET, rule: "env" }]);
/** As it stands in an item that was stored. */
const MARK = masker.mask(SECRET);

const item = (changes: ItemPart = {}): HumanItem =>
	anItem({
		id: "H1",
		trigger: "escalation",
		reason: `turns 2 and 3 changed nothing, key ${MARK}`,
		choices: ["take_developer"],
		...changes,
	});

const values = itemValues(item());
const command = (...run: string[]): Notifier => ({ type: "command", run });
const hook = (url: string, headers?: Record<string, string>): Notifier =>
	headers === undefined ? { type: "webhook", url } : { type: "webhook", url, headers };

const ended = (changes: Partial<ProgramEnd> = {}): ProgramEnd => ({
	started: true,
	startError: null,
	timedOut: false,
	exitCode: 0,
	stderr: "",
	...changes,
});

/** Time that stands still: only the abort ends a wait. */
const stopped: Clock = {
	now: () => 0,
	sleep: (_ms, signal) =>
		new Promise((_resolve, reject) => {
			signal?.addEventListener("abort", () => {
				reject(new Error("aborted"));
			});
		}),
};

/** Time that is over at once. */
const hasty: Clock = { now: () => 0, sleep: () => Promise.resolve() };

interface Told {
	readonly deliveries: readonly Delivery[];
	readonly logged: readonly Delivery[];
	readonly commands: (readonly string[])[];
	readonly posts: { url: string; headers: Readonly<Record<string, string>>; body: unknown }[];
}

async function told(
	onCreated: readonly Notifier[],
	ports: Partial<NotifyPorts> = {},
	asked: HumanItem = item(),
): Promise<Told> {
	const told = { logged: [] as Delivery[], commands: [] as string[][], posts: [] as Told["posts"] };
	const deliveries = await notify(
		asked,
		{ onCreated, onT2Gate: [command("page", `\${TASK_ID}`)] },
		{
			run: (words) => {
				told.commands.push([...words]);
				return Promise.resolve(ended());
			},
			fetch: (url, { headers, body }) => {
				told.posts.push({ url: url.href, headers, body: JSON.parse(body) as unknown });
				return Promise.resolve({ status: 200 });
			},
			env: { HOOK: "https://hooks.example/T0/secret-path", TOKEN: "tok-12345678", BAD: "a\nb" },
			masker,
			clock: stopped,
			log: (delivery) => void told.logged.push(delivery),
			...ports,
		},
	);
	return { deliveries, ...told };
}

const reasonOf = async (
	notification: Notifier,
	ports: Partial<NotifyPorts> = {},
): Promise<string | null | undefined> => {
	const { deliveries, logged } = await told([notification], ports);
	expect(logged).toEqual(deliveries);
	return deliveries[0]?.reason;
};

test("a command is run with the values of the item, masked", async () => {
	const { commands, deliveries } = await told([
		command(
			"notify-send",
			"Sparring",
			`\${TASK_ID}/\${ITEM_ID} \${TRIGGER} \${RUN_ID}`,
			`\${REASON}`,
		),
	]);
	expect(commands[0]?.slice(0, 3)).toEqual(["notify-send", "Sparring", "limiter/H1 escalation r1"]);
	expect(commands[0]?.[3]).toMatch(
		/^turns 2 and 3 changed nothing, key \[MASKED:env:[0-9a-f]{4}\]$/,
	);
	expect(deliveries).toEqual([
		{ itemId: "H1", target: "command notify-send", outcome: "sent", reason: null },
	]);
});

test("a webhook gets one JSON document, and its headers from the environment", async () => {
	const { posts, deliveries } = await told([
		hook(`\${HOOK}`, { Authorization: `Bearer \${TOKEN}` }),
	]);
	expect(posts[0]).toMatchObject({
		url: "https://hooks.example/T0/secret-path",
		headers: { "content-type": "application/json", Authorization: "Bearer tok-12345678" },
		body: {
			event: "item_created",
			item_id: "H1",
			run_id: "r1",
			task_id: "limiter",
			trigger: "escalation",
			choices: ["take_developer"],
			created_at: "2026-11-21T22:05:09.000Z",
			text: expect.stringMatching(/^Sparring: task limiter waits.*spar questions H1$/) as string,
		},
	});
	expect(JSON.stringify(posts)).not.toContain(SECRET);
	expect(deliveries[0]?.target).toBe("webhook https://hooks.example");
});

test("a signature is told on both occasions, and the same notification once", async () => {
	const signed = item({ trigger: "sign_off" });
	const { commands } = await told([command("log"), command("page", `\${TASK_ID}`)], {}, signed);
	expect(commands).toEqual([["log"], ["page", "limiter"]]);
	const settings = { onCreated: [hook("https://a")], onT2Gate: [hook("https://a")] };
	expect(notificationsFor(settings, { trigger: "sign_off" })).toEqual([
		{ occasion: "t2_gate", notification: hook("https://a") },
	]);
	for (const trigger of ["conflict", "budget", "requires_human"] satisfies Trigger[])
		expect(notificationsFor(settings, { trigger })[0]?.occasion).toBe("item_created");
});

test.each<[string, Partial<ProgramEnd>, RegExp]>([
	["missing", { started: false, startError: "ENOENT" }, /did not start: ENOENT/],
	["that cannot start", { started: false }, /did not start: unknown reason/],
	["that hangs", { timedOut: true, exitCode: null }, /took more than 10.0s/],
	[
		"that fails",
		{ exitCode: 3, stderr: `a\n${SECRET} no display\n` },
		/ended with 3: \[MASKED.*no d/,
	],
	["that is killed", { exitCode: null }, /^the program was ended by a signal$/],
	["that says much", { exitCode: 1, stderr: "x".repeat(9_000) }, /^.{300}$/],
])("a program %s is a failure with a reason", async (_name, end, reason) => {
	const run = () => Promise.resolve(ended(end));
	expect(await reasonOf(command("notify-send"), { run })).toMatch(reason);
});

test.each([[command()], [command(" ")]])(
	"a command without a program is refused",
	async (empty) => {
		expect(await reasonOf(empty)).toBe("the command names no program");
	},
);

test("an unknown placeholder is refused, also one of the environment", async () => {
	expect(await reasonOf(command("say", `\${TOKEN} \${TOKEN}`, `\${X}`))).toBe(
		`the command names \${TOKEN}, \${X}, which it cannot use`,
	);
});

test.each([301, 302, 307])("a redirect (%d) is not followed", async (status) => {
	const fetch = () => Promise.resolve({ status });
	expect(await reasonOf(hook("https://a"), { fetch })).toMatch(/redirects are not followed/);
});

test.each([0, 100, 404, 500])(
	"an answer of %d is a failure, and its body is let go",
	async (status) => {
		let cancelled = 0;
		const body = {
			cancel: () => {
				cancelled += 1;
				return Promise.resolve();
			},
		};
		const fetch = () => Promise.resolve({ status, body });
		expect(await reasonOf(hook("https://a"), { fetch })).toBe(`the service answered ${status}`);
		expect(cancelled).toBe(1);
	},
);

test("a redirect is asked not to be followed, and a service that never answers is given up", async () => {
	let asked: Parameters<NotifyPorts["fetch"]>[1] | undefined;
	const fetch: NotifyPorts["fetch"] = (_url, init) => {
		asked = init;
		return new Promise(() => undefined);
	};
	expect(await reasonOf(hook("https://a"), { fetch, clock: hasty })).toBe("no answer within 10.0s");
	expect(asked).toMatchObject({ method: "POST", redirect: "manual" });
	expect(asked?.signal.aborted).toBe(true);
});

test("errors of ports are values, and tell neither address nor header", async () => {
	const refused = new Error("fetch failed", {
		cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
	});
	expect(await reasonOf(hook("https://a"), { fetch: () => Promise.reject(refused) })).toBe(
		"fetch failed (ECONNREFUSED)",
	);
	const leaky = new Error("Bearer tok-12345678 at https://hooks.example/T0/secret-path");
	const secret = hook(`\${HOOK}`, { Authorization: `Bearer \${TOKEN}` });
	const reason = await reasonOf(secret, { fetch: () => Promise.reject(leaky) });
	expect(reason).toMatch(/^\[MASKED:notify:.{4}\] at \[MASKED:notify:.{4}\]$/);
	const run = () => Promise.reject(new Error("no host"));
	expect(await reasonOf(command("x"), { run })).toBe("no host");
	// What is thrown need not be an error.
	const odd = () => Promise.reject("odd" as unknown as Error);
	expect(await reasonOf(command("x"), { run: odd })).toBe("it failed");
});

test.each<[string, Notifier, RegExp]>([
	["an address that the environment lacks", hook(`\${GONE}`), /the address needs GONE/],
	["what every object has", hook(`\${constructor}`), /the address needs constructor/],
	["no address", hook("hooks.example"), /not a URL/],
	["a plain address elsewhere", hook("http://hooks.example"), /must use https/],
	["a file", hook("file:///etc/passwd"), /must use https/],
	["a password in the address", hook("https://me:pw@hooks.example"), /use a header/],
	["a user in the address", hook("https://me@hooks.example"), /use a header/],
	[
		"a header that the environment lacks",
		hook("https://a", { A: `\${GONE}` }),
		/header A needs GONE/,
	],
	["a header of the connection", hook("https://a", { Host: "b" }), /"Host" cannot be set/],
	["a header that is none", hook("https://a", { "a b": "c" }), /"a b" cannot be set/],
	[
		"a value with a line end",
		hook("https://a", { A: `\${BAD}` }),
		/characters that cannot be sent/,
	],
])("%s is refused and nothing is sent", async (_name, notification, reason) => {
	const { posts, deliveries } = await told([notification]);
	expect(posts).toEqual([]);
	expect(deliveries[0]).toMatchObject({ target: "webhook", outcome: "failed" });
	expect(deliveries[0]?.reason).toMatch(reason);
});

test("one that fails stands in the way of no other", async () => {
	const { deliveries } = await told([hook("ftp://a"), command("log"), hook("https://b")]);
	expect(deliveries.map(({ outcome }) => outcome)).toEqual(["failed", "sent", "sent"]);
});

test.each(["http://localhost:8080/x", "http://127.3.2.1", "http://[::1]:9/", "https://a.example"])(
	"%s may be posted to",
	(address) => {
		expect(webhookAddress(address).kind).toBe("accepted");
	},
);

test.each(["http://localhost.evil.example", "http://128.0.0.1", "http://127.0.0.1.nip.example"])(
	"%s may not",
	(address) => {
		expect(webhookAddress(address).kind).toBe("refused");
	},
);

test("what a value holds never becomes a placeholder, an option or another argument", () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter }), (reason) => {
			const hostile = itemValues(item({ reason }));
			const line = notifyCommand(["say", `\${REASON}`, `--text=\${REASON}`], hostile);
			if (line.kind === "refused") throw new Error(line.reason);
			expect(line.command).toHaveLength(3);
			expect(line.command[1]).not.toMatch(/^-/);
			expect(line.command[2]).toBe(`--text=${hostile.REASON}`);
			expect(line.command.join("")).not.toMatch(/\p{Cc}/u);
			expect(hostile.REASON.length).toBeLessThanOrEqual(500);
		}),
	);
	const sly = itemValues(item({ reason: `-rf \${TASK_ID}` }));
	expect(notifyCommand(["rm", `\${REASON}`], sly)).toEqual({
		kind: "ready",
		command: ["rm", ` -rf \${TASK_ID}`],
	});
	expect(itemValues(item({ reason: "y".repeat(9_999) })).REASON).toMatch(/^y{499}…$/);
});

test("several conflicts are told by the first and their number, which is never cut off", async () => {
	const asking = (...whys: readonly string[]): HumanItem =>
		item({
			trigger: "conflict",
			context: {
				conflicts: whys.map((escalation_reason, index) => ({
					finding: `F${index + 1}`,
					attempt: 2 * index + 1,
					escalation_reason,
				})),
				critical: whys.length === 1 ? [] : [{ finding: "F3", issue: "c" }],
			},
		});
	const [told1] = (await told([hook("https://a")], {}, asking(`${MARK} differs.`, "b."))).posts;
	expect(told1?.body).toMatchObject({
		text: expect.stringMatching(
			/: Conflict about F1 \(attempt 1\): \[MASKED:env:.{4}\] differs; and 1 more; critical: F3\. Read it/,
		) as string,
	});
	const long = itemValues(asking(`${MARK} ${"x".repeat(9_999)}.`, "b."));
	expect(long.REASON).toMatch(/x…; and 1 more; critical: F3$/);
	expect(long.REASON).toHaveLength(500);
	const [one] = (await told([hook("https://a")], {}, asking(`${MARK} differs.`))).posts;
	expect(JSON.stringify(one?.body)).toMatch(/differs\. Read it/);
});

test("a template is filled once, and what is no placeholder stays", () => {
	const filled = fillTemplate(`$A \${} \${1} \${A}\${A}`, () => `\${A}`);
	expect(filled).toEqual({ kind: "filled", text: `$A \${} \${1} \${A}\${A}` });
	expect(fillTemplate(`\${A}`, () => "")).toEqual({ kind: "filled", text: "" });
	expect(Object.keys(values).sort()).toEqual([...ITEM_VALUE_NAMES].sort());
	for (const name of ["__proto__", "constructor"])
		expect(notifyCommand(["say", `\${${name}}`], values).kind).toBe("refused");
});

test("a webhook without headers sends its type only", () => {
	const request = webhookRequest({ url: "https://a" }, itemBody("t2_gate", item(), values), {});
	expect(request).toMatchObject({ kind: "ready", headers: { "content-type": "application/json" } });
});

const END = { runId: "r1", status: "failed", workflow: "rate\nlimiter" } as const;

function portsOf(changes: Partial<NotifyPorts>): NotifyPorts {
	return {
		run: () => Promise.resolve(ended()),
		fetch: () => Promise.resolve({ status: 204 }),
		env: {},
		masker,
		clock: stopped,
		log: () => undefined,
		...changes,
	};
}

test("the end of a run is told with its values, each on one line, by command and by webhook", async () => {
	const commands: (readonly string[])[] = [];
	const bodies: string[] = [];
	const ports = portsOf({
		run: (line) => {
			commands.push(line);
			return Promise.resolve(ended());
		},
		fetch: (_url, { body }) => {
			bodies.push(body);
			return Promise.resolve({ status: 204 });
		},
	});
	const onEnd = [
		command("say", `\${WORKFLOW}: \${STATUS}`, `\${RUN_ID}`),
		hook("https://hooks.example.org/"),
		command("say", `\${TASK_ID}`),
	];
	const deliveries = await notifyEnd(END, { onEnd }, ports);
	expect(commands).toEqual([["say", "rate limiter: failed", "r1"]]);
	expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
		{
			event: "run_ended",
			run_id: "r1",
			status: "failed",
			workflow: "rate limiter",
			text: "Sparring: run r1 of rate limiter failed. See: spar status r1",
		},
	]);
	expect(deliveries.map(({ itemId, outcome, reason }) => [itemId, outcome, reason])).toEqual([
		[null, "sent", null],
		[null, "sent", null],
		[null, "failed", `the command names \${TASK_ID}, which it cannot use`],
	]);
});

test("a workflow that names nobody for the end tells nobody", async () => {
	expect(await notifyEnd(END, {}, portsOf({}))).toEqual([]);
});
