import { expect, test } from "vitest";
import { formOf, type Offer } from "../../src/words/item-offers.ts";
import {
	answerBody,
	isReady,
	NO_DRAFT,
	offerKey,
	offerOf,
	textOf,
	withComment,
} from "./answer-body.ts";

const offer = (choice: Offer["choice"], part: Partial<Offer> = {}): Offer => ({
	limit: null,
	finding: null,
	effect: "",
	command: "",
	choice,
	...part,
});

const body = (of: Offer, text = "", notes = ""): unknown =>
	answerBody("v1", of, { ...NO_DRAFT, texts: { [offerKey(of)]: text }, notes });

test("each choice is one answer of the protocol", () => {
	expect(body(offer("continue"))).toEqual({ version: "v1", take: "continue" });
	expect(body(offer("take_developer"))).toEqual({ version: "v1", take: "developer" });
	expect(body(offer("take_reviewer"))).toEqual({ version: "v1", take: "reviewer" });
	expect(body(offer("directive"), " Use a map. ")).toEqual({
		version: "v1",
		directive: "Use a map.",
	});
	expect(body(offer("reject"), "No.")).toEqual({ version: "v1", reject: "No." });
	expect(body(offer("add_budget", { limit: "usd" }), "2.5")).toEqual({
		version: "v1",
		add_usd: 2.5,
	});
	expect(body(offer("add_budget", { limit: "wall" }), "30m")).toEqual({
		version: "v1",
		add_wall: "30m",
	});
});

test("a conflict's answer names its finding, and notes go along", () => {
	expect(body(offer("take_reviewer", { finding: "F2" }), "", "agreed")).toEqual({
		version: "v1",
		take: "reviewer",
		finding: ["F2"],
		notes: "agreed",
	});
});

test("an answer is ready once the text that it needs is there", () => {
	const offers = [offer("continue"), offer("reject"), offer("add_budget", { limit: "usd" })];
	const ready = (index: number | null, text = ""): boolean => {
		const chosen = offers[index ?? -1] ?? offer("directive");
		const texts = { [offerKey(chosen)]: text };
		return isReady(offers, { ...NO_DRAFT, offer: index === null ? null : offerKey(chosen), texts });
	};
	expect([ready(null), ready(0), ready(9)]).toEqual([false, true, false]);
	expect([ready(1), ready(1, "  "), ready(1, "No.")]).toEqual([false, false, true]);
	expect([ready(2), ready(2, "much"), ready(2, "0"), ready(2, "1.5")]).toEqual([
		false,
		false,
		false,
		true,
	]);
});

test("an amount is ready only where it is sent as a number", () => {
	const usd = offer("add_budget", { limit: "usd" });
	for (const text of ["5", "0.50", ".5", "5.", "1e2", "0x10", "+5", "Infinity"]) {
		const draft = { ...NO_DRAFT, offer: offerKey(usd), texts: { [offerKey(usd)]: text } };
		const sent = JSON.stringify(answerBody("v1", usd, draft));
		expect([text, isReady([usd], draft)]).toEqual([text, /"add_usd":[0-9]/.test(sent)]);
	}
});

test("what was written for one offer is not sent with another one", () => {
	const [directive, reject] = [offer("directive"), offer("reject")];
	const draft = { ...NO_DRAFT, texts: { [offerKey(directive)]: "Use a map." } };
	expect(textOf(draft, directive)).toBe("Use a map.");
	expect(textOf(draft, reject)).toBe("");
	const chosen = { ...draft, offer: offerKey(reject) };
	expect(isReady([directive, reject], chosen)).toBe(false);
	expect(answerBody("v1", reject, chosen)).toEqual({ version: "v1", reject: "" });
});

test("a budget is raised in dollars or by a duration", () => {
	expect(formOf(offer("add_budget", { limit: "usd" })).asks?.kind).toBe("usd");
	expect(formOf(offer("add_budget", { limit: "wall" })).asks?.kind).toBe("duration");
	expect(formOf(offer("directive")).asks?.kind).toBe("words");
});

test("a chosen offer is the same one when those of another conflict are gone, and none when its own is answered", () => {
	const of = (finding: string) =>
		(["take_developer", "directive"] as const).map((choice) => offer(choice, { finding }));
	const [, chosen] = of("F2");
	const draft = { ...NO_DRAFT, offer: chosen === undefined ? null : offerKey(chosen) };
	expect(offerOf([...of("F1"), ...of("F2")], draft)).toEqual(chosen);
	expect(offerOf(of("F2"), draft)).toEqual(chosen);
	expect(offerOf([...of("F1"), ...of("F3")], draft)).toBeUndefined();
	expect(isReady([...of("F1"), ...of("F3")], draft)).toBe(false);
});

test("comments on lines go to the player with a directive, which the first of them chooses, and with no other answer", () => {
	const offers = [offer("take_reviewer"), offer("directive"), offer("reject")];
	const [side, directive, reject] = offers;
	if (!side || !directive || !reject) throw new Error("there are three");
	const comment = { file: "a.js", line: 3, text: "Clamp it." };
	const one = withComment(NO_DRAFT, offers, comment);
	const two = withComment({ ...one, offer: offerKey(side) }, offers, { ...comment, line: -4 });
	expect([one, two].map(({ offer: chosen }) => chosen)).toEqual([
		offerKey(directive),
		offerKey(directive),
	]);
	expect(isReady(offers, one)).toBe(true);
	expect(isReady(offers, { ...one, offer: offerKey(reject) })).toBe(false);
	expect(answerBody("v1", directive, two)).toEqual({
		version: "v1",
		directive: "a.js:3: Clamp it.\na.js:4 (before the change): Clamp it.",
	});
	expect(answerBody("v1", side, two)).toEqual({ version: "v1", take: "reviewer" });
	expect(withComment(NO_DRAFT, [side], comment).offer).toBeNull();
});
