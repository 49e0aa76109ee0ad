import { expect, test } from "vitest";
import { keptAnswers } from "./kept-answers.ts";
import type { Vault } from "./vault.ts";

const id = (digit: string): string => digit.repeat(40);

/** Only the identity of a vault counts. */
const vaultOf = (gitDir: string): Vault =>
	// True enough: nothing of it is read.
	({ gitDir }) as Vault;

function counter() {
	let asked = 0;
	return { ask: async () => (asked += 1), asked: () => asked };
}

test("git is asked once about an object, and again in another vault", async () => {
	const answers = keptAnswers<number>(2);
	const { ask } = counter();
	const vault = vaultOf("a");
	expect(await answers.of(vault, [id("1")], "", ask)).toBe(1);
	expect(await answers.of(vault, [id("1")], "", ask)).toBe(1);
	expect(await answers.of(vault, [id("1")], "path", ask)).toBe(2);
	expect(await answers.of(vaultOf("a"), [id("1")], "", ask)).toBe(3);
});

test("a name that can move is asked about each time", async () => {
	const answers = keptAnswers<number>(2);
	const { ask } = counter();
	const vault = vaultOf("a");
	for (const name of ["HEAD", "refs/heads/main", "abcdef1", `${id("1")}~1`]) {
		const before = await answers.of(vault, [name, id("1")], "", ask);
		answers.keep(vault, [name, id("1")], 0);
		expect(await answers.of(vault, [name, id("1")], "", ask)).toBe(before + 1);
	}
});

test("above the limit the least recently used answer is dropped", async () => {
	const answers = keptAnswers<number>(2);
	const { ask, asked } = counter();
	const vault = vaultOf("a");
	for (const digit of ["1", "2", "1", "3", "1"]) await answers.of(vault, [id(digit)], "", ask);
	expect(asked()).toBe(3);
	await answers.of(vault, [id("2")], "", ask);
	expect(asked()).toBe(4);
});

test("large answers and rejections are not cached, but undefined is", async () => {
	const answers = keptAnswers<string | undefined>(2, (answer) => (answer?.length ?? 0) < 3);
	const vault = vaultOf("a");
	const never = async (): Promise<string> => {
		throw new Error("asked");
	};
	expect(await answers.of(vault, [id("1")], "", async () => "large")).toBe("large");
	await expect(answers.of(vault, [id("1")], "", never)).rejects.toThrow("asked");
	expect(await answers.of(vault, [id("1")], "", async () => undefined)).toBeUndefined();
	expect(await answers.of(vault, [id("1")], "", never)).toBeUndefined();
});

test("those who ask the same at once ask git once", async () => {
	const answers = keptAnswers<number>(2);
	const { ask, asked } = counter();
	const vault = vaultOf("a");
	const slow = async (): Promise<number> => {
		await new Promise(setImmediate);
		return await ask();
	};
	const all = [1, 2, 3].map(() => answers.of(vault, [id("1")], "", slow));
	expect(await Promise.all(all)).toEqual([1, 1, 1]);
	expect(asked()).toBe(1);
});

test("an answer that fails is another one's own", async () => {
	const answers = keptAnswers<number>(2);
	const vault = vaultOf("a");
	const killed = answers.of(vault, [id("1")], "", () => Promise.reject(new Error("killed")));
	const other = answers.of(vault, [id("1")], "", async () => 7);
	await expect(killed).rejects.toThrow("killed");
	expect(await other).toBe(7);
});

test("a known answer is not asked for", async () => {
	const answers = keptAnswers<number>(2);
	const { ask, asked } = counter();
	const vault = vaultOf("a");
	answers.keep(vault, [id("1"), id("a").slice(0, 39)], 7);
	answers.keep(vault, [id("1"), id("2")], 8);
	expect(await answers.of(vault, [id("1"), id("2")], "", ask)).toBe(8);
	expect(asked()).toBe(0);
});
