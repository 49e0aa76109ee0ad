import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Checkout, CheckoutPlace } from "../git/checkout.ts";
import { SpareCheckouts } from "./spare-checkouts.ts";

let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-spare-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** What a checkout was asked for. */
type Asked = readonly ["removed"] | readonly ["took over", CheckoutPlace, string];

/** A checkout that only tells what it was asked for, and can be moved. */
function checkout(how: { readonly isGone?: boolean; readonly isUnfit?: boolean } = {}) {
	const asked: Asked[] = [];
	const own = {
		moveTo: (place: CheckoutPlace) => {
			if (how.isGone) throw new Error("ENOENT");
			mkdirSync(place.dir);
			writeFileSync(place.indexFile, "");
		},
		takeOver: async (place: CheckoutPlace, commit: string) => {
			if (how.isUnfit) throw new Error("EACCES");
			asked.push(["took over", place, commit]);
		},
		remove: async () => void asked.push(["removed"]),
	};
	return { asked, own: own as unknown as Checkout };
}

const placeOf = (nth: number): CheckoutPlace => ({
	dir: join(home, "spare", String(nth)),
	indexFile: join(home, "spare", `${nth}.index`),
});

async function given(spares: SpareCheckouts, how = {}): Promise<readonly Asked[]> {
	const { own, asked } = checkout(how);
	await spares.give(own, "c1");
	return asked;
}

test("what one merge leaves, the next one takes over, once", async () => {
	const spares = new SpareCheckouts(join(home, "spare"));
	expect(await given(spares)).toEqual([["removed"]]);
	expect(existsSync(join(home, "spare"))).toBe(false);
	spares.leave(checkout().own);
	spares.leave(checkout().own);
	expect(await given(spares)).toEqual([["took over", placeOf(1), "c1"]]);
	expect(await given(spares)).toEqual([["took over", placeOf(2), "c1"]]);
	expect(await given(spares)).toEqual([["removed"]]);
});

test("one that cannot be taken over makes way for a new one", async () => {
	const spares = new SpareCheckouts(join(home, "spare"));
	spares.leave(checkout().own);
	expect(await given(spares, { isUnfit: true })).toEqual([["removed"]]);
	expect(await given(spares)).toEqual([["removed"]]);
});

test("one that cannot be left is not given", async () => {
	const spares = new SpareCheckouts(join(home, "spare"));
	spares.leave(checkout({ isGone: true }).own);
	expect(await given(spares)).toEqual([["removed"]]);
});

test("no more than four are kept", () => {
	const spares = new SpareCheckouts(join(home, "spare"));
	for (let nth = 0; nth < 6; nth += 1) spares.leave(checkout().own);
	expect(readdirSync(join(home, "spare")).filter((name) => !name.endsWith(".index"))).toEqual([
		"1",
		"2",
		"3",
		"4",
	]);
});
