import { expect, test } from "vitest";
import { type Mask, maskedOutput } from "./masked-output.ts";

const mask: Mask = (text) => text.replaceAll("hunter2hunter2", "[X]");

test("what is written before the masker is there waits for it, in order, and is masked", async () => {
	const { promise, resolve } = Promise.withResolvers<Mask>();
	let loads = 0;
	const output = maskedOutput(() => {
		loads += 1;
		return promise;
	});
	const printed: string[] = [];
	output.write("a hunter2hunter2\n", (text) => printed.push(`out ${text}`));
	output.write("b\n", (text) => printed.push(`err ${text}`));
	expect(printed).toEqual([]);
	resolve(mask);
	await output.ready();
	output.write("c hunter2hunter2\n", (text) => printed.push(`out ${text}`));
	expect(printed).toEqual(["out a [X]\n", "err b\n", "out c [X]\n"]);
	expect(loads).toBe(1);
});

test("nothing is loaded where nothing is printed", () => {
	maskedOutput(() => {
		throw new Error("loaded");
	});
});

test("our own words wait for nothing, up to the moment in which others could follow", async () => {
	const output = maskedOutput(() => Promise.resolve(mask), true);
	const printed: string[] = [];
	output.write("Usage: spar\n", (text) => printed.push(text));
	expect(printed).toEqual(["Usage: spar\n"]);
	const ready = output.ready();
	output.write("hunter2hunter2\n", (text) => printed.push(text));
	await ready;
	expect(printed).toEqual(["Usage: spar\n", "[X]\n"]);
});
