import { expect, test } from "vitest";
import { type Mask, maskedOutput } from "./masked-output.ts";

/** For outputs that are expected not to fail. */
const onFailure = (error: unknown): void => {
	throw error;
};

const mask: Mask = (text) => text.replaceAll("hunter2hunter2", "[X]");

test("what is written before the masker is there waits for it, in order, and is masked", async () => {
	const { promise, resolve } = Promise.withResolvers<Mask>();
	let loads = 0;
	const output = maskedOutput(
		() => {
			loads += 1;
			return promise;
		},
		{ onFailure },
	);
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

test("nothing is loaded where nothing is printed, nor where only our own words are", async () => {
	let loads = 0;
	const load = (): Promise<Mask> => {
		loads += 1;
		return Promise.resolve(mask);
	};
	const output = maskedOutput(load, { isOurs: true, onFailure });
	maskedOutput(load, { onFailure });
	output.write("Usage: spar\n", () => undefined);
	await new Promise((resolve) => setImmediate(resolve));
	expect(loads).toBe(0);
	await output.ready();
	expect(loads).toBe(1);
});

test("where loading fails nothing is printed, it is told once, and what waits comes with the next success", async () => {
	const failures: unknown[] = [];
	let broken = true;
	const output = maskedOutput(
		() => (broken ? Promise.reject(new Error("no file")) : Promise.resolve(mask)),
		{ onFailure: (error) => failures.push(error) },
	);
	const printed: string[] = [];
	output.write("a hunter2hunter2\n", (text) => printed.push(text));
	await expect(output.ready()).rejects.toThrow("no file");
	output.write("b\n", (text) => printed.push(text));
	await expect(output.ready()).rejects.toThrow("no file");
	expect(printed).toEqual([]);
	expect(failures).toEqual([new Error("no file")]);
	broken = false;
	await output.ready();
	expect(printed).toEqual(["a [X]\n", "b\n"]);
});

test("a load that throws at once, and a text that cannot be masked, take no other text with them", async () => {
	const failures: unknown[] = [];
	let calls = 0;
	const output = maskedOutput(
		() => {
			calls += 1;
			if (calls === 1) throw new Error("at once");
			return Promise.resolve((text: string) => {
				if (text === "bad") throw new Error("cannot");
				return mask(text);
			});
		},
		{ onFailure: (error) => failures.push(error) },
	);
	const printed: string[] = [];
	for (const text of ["one", "bad", "two"]) output.write(text, (said) => printed.push(said));
	await output.ready().catch(() => undefined);
	await output.ready();
	expect(printed).toEqual(["one", "two"]);
	expect(failures).toEqual([new Error("at once")]);
});

test("what is learned while texts are printed is masked from then on", async () => {
	const output = maskedOutput(() => Promise.resolve(mask), { onFailure });
	const print = await output.ready();
	expect(print("swordfish hunter2hunter2")).toBe("swordfish [X]");
	output.learn((text) => text.replaceAll("swordfish", "[Y]"));
	expect(print("swordfish hunter2hunter2")).toBe("[Y] [X]");
	const printed: string[] = [];
	output.write("swordfish", (text) => printed.push(text));
	expect(printed).toEqual(["[Y]"]);
});

test("our own words wait for nothing, up to the moment in which others could follow", async () => {
	const output = maskedOutput(() => Promise.resolve(mask), { isOurs: true, onFailure });
	const printed: string[] = [];
	output.write("Usage: spar\n", (text) => printed.push(text));
	expect(printed).toEqual(["Usage: spar\n"]);
	const ready = output.ready();
	output.write("hunter2hunter2\n", (text) => printed.push(text));
	await ready;
	expect(printed).toEqual(["Usage: spar\n", "[X]\n"]);
});
