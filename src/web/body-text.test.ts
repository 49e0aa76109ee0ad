import { expect, test } from "vitest";
import { bodyText } from "./body-text.ts";

const streamOf = (...texts: readonly string[]): ReadableStream<Uint8Array> =>
	ReadableStream.from(texts.map((text) => new TextEncoder().encode(text)));

test("a body that comes in pieces is one text, and none is empty", async () => {
	expect(await bodyText(streamOf('{"a":', '"é"}'), 100)).toBe('{"a":"é"}');
	expect(await bodyText(null, 100)).toBe("");
});

test("the limit is in bytes, and a body of just as many is read", async () => {
	expect(await bodyText(streamOf("é", "é"), 4)).toBe("éé");
	expect(await bodyText(streamOf("é", "é"), 3)).toBeNull();
});

test("a body without end is given up", async () => {
	let given = 0;
	const endless = new ReadableStream<Uint8Array>({
		pull: (controller) => {
			given += 1;
			controller.enqueue(new Uint8Array(10));
		},
	});
	expect(await bodyText(endless, 100)).toBeNull();
	expect(given).toBeLessThan(15);
});
