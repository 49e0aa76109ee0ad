import { expect, test } from "vitest";
import { FirstAlone } from "./first-alone.ts";

test("the others wait for the first, then work beside each other; what is about another matter does not wait", async () => {
	const alone = new FirstAlone();
	const seen: string[] = [];
	const gates = new Map<string, () => void>();
	const work = (name: string) => async (): Promise<string> => {
		seen.push(name);
		await new Promise<void>((resolve) => gates.set(name, resolve));
		return name;
	};
	const ends = [
		alone.run("a", work("first")),
		alone.run("a", work("second")),
		alone.run("a", work("third")),
		alone.run("b", work("other")),
	];
	await new Promise(setImmediate);
	expect(seen).toEqual(["first", "other"]);
	gates.get("first")?.();
	await new Promise(setImmediate);
	expect(seen).toEqual(["first", "other", "second", "third"]);
	for (const open of gates.values()) open();
	expect(await Promise.all(ends)).toEqual(["first", "second", "third", "other"]);
});

test("a first one that fails fails for itself", async () => {
	const alone = new FirstAlone();
	const failing = alone.run("a", () => Promise.reject(new Error("broken")));
	const second = alone.run("a", async () => "found");
	await expect(failing).rejects.toThrow("broken");
	expect(await second).toBe("found");
	expect(await alone.run("a", async () => "again")).toBe("again");
});
