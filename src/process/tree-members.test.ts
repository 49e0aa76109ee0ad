import { describe, expect, test } from "vitest";
import type { ProcessEntry } from "./process-table.ts";
import { type TreeQuery, treeMembers } from "./tree-members.ts";

const SELF = 100;

function entry(pid: number, ppid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
	return { pid, ppid, group: pid, session: pid, mark: null, start: pid, traced: false, ...rest };
}

const nothing: TreeQuery = {
	root: null,
	known: new Map(),
	groups: new Set(),
	isMarked: () => false,
};

/** The first process, a shell, ourselves in the shell's session, and what the test adds. */
function pidsOf(query: Partial<TreeQuery>, ...added: ProcessEntry[]): readonly number[] {
	const entries = [entry(1, 0), entry(50, 1), entry(SELF, 50, { session: 50 }), ...added];
	const found = treeMembers(entries, { ...nothing, ...query }, SELF);
	return found.members.map(({ pid }) => pid);
}

describe("members of a call's tree", () => {
	test("the root and its descendants, in sessions of their own too", () => {
		expect(pidsOf({ root: 200 }, entry(202, 201), entry(200, SELF), entry(201, 200))).toEqual([
			200, 201, 202,
		]);
	});

	test("a bearer of the mark whose parents are gone, and its session", () => {
		const added = [entry(300, 1, { mark: "m" }), entry(301, 1, { session: 300, group: 301 })];
		expect(pidsOf({ isMarked: (mark) => mark === "m" }, ...added)).toEqual([300, 301]);
	});

	test("a group that was seen before leads to its members", () => {
		expect(
			pidsOf({ groups: new Set([200]) }, entry(205, 1, { group: 200, session: null })),
		).toEqual([205]);
	});

	test("a group or session that an earlier member founded leads to its members, when that one is gone", () => {
		const known = new Map([[200, 200]]);
		const left = [
			entry(205, 1, { group: 200, session: 200 }),
			entry(206, 1, { group: 206, session: 200 }),
		];
		expect(pidsOf({ known }, ...left)).toEqual([205, 206]);
		// Its number was taken by somebody else meanwhile.
		expect(pidsOf({ known }, entry(200, 1, { start: 900 }), ...left)).toEqual([]);
		// A member in our session is no reason to end it.
		expect(pidsOf({ known: new Map([[50, 50]]) }, entry(207, 1, { session: 50 }))).toEqual([]);
	});

	test("never ourselves, our ancestors or the first process, even with the mark", () => {
		const entries = [
			entry(1, 0, { mark: "m" }),
			entry(50, 1, { mark: "m" }),
			entry(SELF, 50, { mark: "m", session: 50 }),
		];
		const query = { groups: new Set([1, 50]), isMarked: () => true };
		const found = treeMembers(entries, { ...nothing, ...query }, SELF);
		expect(found.members).toEqual([]);
		expect([...found.groups]).toEqual([]);
	});

	test("a marked process in our own session does not make our session a member", () => {
		const marked = entry(60, 50, { session: 50, group: 50, mark: "m" });
		const neighbour = entry(61, 50, { session: 50, group: 50 });
		expect(pidsOf({ isMarked: () => true }, marked, neighbour)).toEqual([60]);
	});

	test("strangers are left alone", () => {
		expect(pidsOf({ root: 200 }, entry(200, SELF), entry(400, 1, { mark: "other" }))).toEqual([
			200,
		]);
	});

	test("one that is known from before, wherever it went, unless its number is another's now", () => {
		const gone = entry(300, 1, { start: 7 });
		expect(pidsOf({ known: new Map([[300, 7]]) }, gone, entry(301, 300))).toEqual([300, 301]);
		expect(pidsOf({ known: new Map([[300, 6]]) }, gone)).toEqual([]);
	});

	test("nobody is known again where the system shows no start", () => {
		const known = new Map([[300, Number.NaN]]);
		expect(pidsOf({ known }, entry(300, 1, { start: Number.NaN }))).toEqual([]);
	});

	test("one with a trace of the call, and its children", () => {
		expect(pidsOf({}, entry(300, 1, { traced: true }), entry(301, 300))).toEqual([300, 301]);
		expect(pidsOf({}, entry(300, 299, { traced: true }))).toEqual([300]);
	});

	test("no relative of Sparring's by a trace alone: another call may work there too", () => {
		expect(pidsOf({}, entry(200, SELF), entry(300, 200, { traced: true }))).toEqual([]);
		expect(pidsOf({ root: 200 }, entry(200, SELF), entry(300, 200, { traced: true }))).toEqual([
			200, 300,
		]);
	});

	test("a table whose parents go in a circle is read to its end", () => {
		const circle = [entry(300, 301, { traced: true }), entry(301, 300)];
		expect(pidsOf({}, ...circle)).toEqual([300, 301]);
	});
});
