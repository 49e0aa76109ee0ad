import { expect, test } from "vitest";
import { SessionReader } from "./session-reader.ts";

/** What the reader knows of the cost after these updates. */
function costAfter(...costs: readonly unknown[]): number | null {
	const reader = new SessionReader();
	for (const cost of costs) {
		reader.update({ sessionId: "s1", update: { sessionUpdate: "usage_update", cost } });
	}
	return reader.costUsd;
}

const usd = (amount: unknown) => ({ amount, currency: "USD" });

test("an agent that tells no cost, or none of it, has an unknown one", () => {
	expect(costAfter()).toBeNull();
	for (const cost of [undefined, null, 5, "5", [], {}, usd(0), usd(-1), usd("1"), usd(null)]) {
		expect(costAfter(cost), JSON.stringify(cost)).toBeNull();
	}
	expect(costAfter(usd(Number.NaN))).toBeNull();
	expect(costAfter(usd(Number.POSITIVE_INFINITY))).toBeNull();
});

test("only US dollars count", () => {
	for (const currency of ["EUR", "usd", "", undefined]) {
		expect(costAfter({ amount: 1, currency }), currency).toBeNull();
	}
	expect(costAfter(usd(0.25))).toBe(0.25);
});

test("what is told last is the sum so far, and what tells nothing changes nothing", () => {
	expect(costAfter(usd(0.25), usd(0.75))).toBe(0.75);
	expect(costAfter(usd(0.25), usd(0), { amount: 9, currency: "EUR" }, null)).toBe(0.25);
});

test("the cost of another session is not this one's", () => {
	const reader = new SessionReader();
	reader.expect("s1");
	const update = { sessionUpdate: "usage_update", cost: usd(1) };
	reader.update({ sessionId: "other", update });
	expect(reader.costUsd).toBeNull();
	reader.update({ sessionId: "s1", update });
	expect(reader.costUsd).toBe(1);
});

test("of what a program prints beside the session, its retries are told and not kept", () => {
	let heard = "";
	const reader = new SessionReader((text) => {
		heard += text;
	});
	const content = { type: "text", text: "I begin" };
	reader.update({ update: { sessionUpdate: "agent_message_chunk", content } });
	reader.beside('{"jsonrpc":"2.0","method":"session/update"}\nstarted\n');
	reader.beside("Reconnecting... 1/5\n");
	reader.beside("Reconnecting... 2/5\n");
	expect(heard).toBe("I begin\nReconnecting... 1/5\nReconnecting... 2/5\n");
	expect(reader.transcript()).toBe("I begin");
});
