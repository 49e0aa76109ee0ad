import { expect, test } from "vitest";
import { conflictItem, humanItem, runReport, spar } from "../fakes.contract.ts";

function answering() {
	const asked: unknown[] = [];
	return {
		asked,
		sparring: {
			resolveItem: (...args: unknown[]) => {
				asked.push(args);
				return Promise.resolve(humanItem({ status: "RESOLVED" }));
			},
			status: () => Promise.resolve(runReport("paused_for_user_escalation")),
		},
	};
}

test("what is added to a budget is passed on as an amount and a duration", async () => {
	const { asked, sparring } = answering();
	await spar(["hil", "resolve", "H1", "--add-usd", "0.50", "--add-wall", "30m"], { sparring });
	await spar(["hil", "resolve", "H1", "--add-usd", "5"], { sparring });
	expect(asked).toEqual([
		["H1", { addUsd: 0.5, addWall: "30m", by: "terminal" }],
		["H1", { addUsd: 5, by: "terminal" }],
	]);
});

test.each(["five", "1e3", "-5", "0x10", "", " 5", "$5", "Infinity"])(
	"--add-usd %j is handed on as no amount, for the item to refuse",
	async (text) => {
		const { asked, sparring } = answering();
		await spar(["hil", "resolve", "H1", `--add-usd=${text}`], { sparring });
		expect(asked).toEqual([["H1", { addUsd: Number.NaN, by: "terminal" }]]);
	},
);

const part = {
	...({ choice: "take_developer", directive: null, notes: null } as const),
	answeredAt: "2026-11-22T05:00:00.000Z",
};

test("an answer to some conflicts tells which still wait, and not to go on", async () => {
	const asked: unknown[] = [];
	const sparring = {
		resolveItem: (...args: unknown[]) => {
			asked.push(args);
			return Promise.resolve(conflictItem(["F1", "F2", "F3"], { parts: { F1: part } }));
		},
		ackItem: () => Promise.resolve(conflictItem(["F1"], { status: "ACKED", parts: { F1: part } })),
		status: () => Promise.resolve(runReport("paused_for_user_escalation")),
	};
	const answer = ["hil", "resolve", "H1", "--finding", "F1", "f2", "--take", "developer"];
	expect(await spar(answer, { sparring })).toMatchObject({
		code: 0,
		out: "H1 F1 answered; still waiting: F2, F3\n",
		err: "See what waits with: spar questions H1\n",
	});
	expect(asked).toEqual([["H1", { take: "developer", finding: ["F1", "f2"], by: "terminal" }]]);
	expect(await spar(["hil", "ack", "H1"], { sparring })).toMatchObject({ out: "H1 seen\n" });
});

test("the last answer to conflicts closes the question and says how to go on", async () => {
	const closed = conflictItem(["F1"], { status: "RESOLVED", parts: { F1: part } });
	const sparring = {
		resolveItem: () => Promise.resolve(closed),
		status: () => Promise.resolve(runReport("paused_for_user_escalation")),
	};
	const answer = ["hil", "resolve", "H1", "--take", "developer"];
	expect(await spar(answer, { sparring })).toMatchObject({
		out: "H1 answered\n",
		err: "Continue with: spar resume r1\n",
	});
});

test("where machines share a store the last answer is enough, if a worker runs", async () => {
	const closed = conflictItem(["F1"], { status: "RESOLVED", parts: { F1: part } });
	const paused = { ...runReport("paused_for_user_escalation"), shared: true as const };
	const sparring = {
		resolveItem: () => Promise.resolve(closed),
		status: () => Promise.resolve(paused),
	};
	const answer = ["hil", "resolve", "H1", "--take", "developer"];
	expect(await spar(answer, { sparring })).toMatchObject({
		err: "A worker goes on with it. If none runs: spar resume r1\n",
	});
});

test.each<[readonly string[], readonly string[]]>([
	[["F2,F3"], ["F2", "F3"]],
	[
		["F2,", "f3"],
		["F2", "f3"],
	],
	[
		["F2 F3,F4", ",F5"],
		["F2", "F3", "F4", "F5"],
	],
])("--finding %j are the ids %j", async (given, ids) => {
	const { asked, sparring } = answering();
	await spar(["hil", "resolve", "H1", "--finding", ...given, "--take", "developer"], { sparring });
	expect(asked).toEqual([["H1", { take: "developer", finding: ids, by: "terminal" }]]);
});

test.each<[readonly string[], string]>([
	[["--finding", "--take", "developer"], "--finding needs an id before --take"],
	[["--finding", "--directive", "x"], "--finding needs an id before --directive"],
	[["--take", "developer", "--finding", ""], "--finding needs an id\n"],
	[["--take", "developer", "--finding", " ,"], "--finding needs an id\n"],
])("%j lacks an id, which is said, and nothing is answered", async (args, message) => {
	const { asked, sparring } = answering();
	const none = await spar(["hil", "resolve", "H1", ...args], { sparring });
	expect(none).toMatchObject({ code: 2, out: "" });
	expect(none.err).toContain(message);
	expect(none.err).toContain("--finding F1 F2 --take player");
	expect(asked).toEqual([]);
});

test("a list tells of several conflicts on one line, and how many there are", async () => {
	const context = {
		conflicts: [
			{ finding: "F1", attempt: 1, escalation_reason: "the answers differ ".repeat(9) },
			{ finding: "F2", attempt: 3, escalation_reason: "no." },
		],
		critical: [{ finding: "F3", issue: "a key" }],
	};
	const items = () => Promise.resolve([conflictItem([], { context })]);
	const { out } = await spar(["hil", "list"], { sparring: { items } });
	const [, row = ""] = out.trimEnd().split("\n");
	expect(row).toMatch(
		/waiting {2}Conflict about F1 \(attempt 1\): the .*\.\.\.; and 1 more; critical: F3$/,
	);
	expect(row.slice(row.indexOf("Conflict"))).toHaveLength(160);
});

test("--finding takes ids, one at least", async () => {
	const none = await spar(["hil", "resolve", "H1", "--finding"]);
	expect(none).toMatchObject({ code: 2, out: "" });
	expect(none.err).toContain("--finding");
});

test.each([
	["ack H1", { ackItem: () => Promise.resolve(humanItem({ status: "ACKED" })) }, "ACKED"],
	["resolve H1", { resolveItem: () => Promise.resolve(humanItem({ status: "ACKED" })) }, "ACKED"],
	[
		"reject H1 --reason x",
		{ rejectItem: () => Promise.resolve(humanItem({ status: "ACKED" })) },
		"ACKED",
	],
])(
	"hil %s --json prints the question as it is now, and nothing else on standard output",
	async (line, sparring, status) => {
		const { code, out } = await spar(["hil", ...line.split(" "), "--json"], { sparring });
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({ id: "H1", status, resolution: null });
	},
);

test("the version of what was shown goes with the answer, and comes with the question", async () => {
	const { asked, sparring } = answering();
	const rejecting = { ...sparring, rejectItem: sparring.resolveItem };
	await spar(["hil", "resolve", "H1", "--version", "v7"], { sparring });
	await spar(["hil", "reject", "H1", "--reason", "no", "--version", "v7"], { sparring: rejecting });
	expect(asked).toEqual([
		["H1", { version: "v7", by: "terminal" }],
		["H1", "no", { version: "v7", by: "terminal" }],
	]);
	const showing = {
		item: () => Promise.resolve(humanItem()),
		itemVersion: () => Promise.resolve("v7"),
	};
	const shown = await spar(["hil", "show", "H1", "--json"], { sparring: showing });
	expect(JSON.parse(shown.out)).toMatchObject({ id: "H1", version: "v7" });
});
