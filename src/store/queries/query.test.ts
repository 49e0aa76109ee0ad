import { expect, test } from "vitest";
import {
	all,
	announce,
	change,
	locked,
	NO_REPLY,
	one,
	perform,
	performNow,
	type Query,
	type Reply,
	type Statement,
} from "./query.ts";

/** Reads a number, stores the next one, and gives both with how many rows that changed. */
function* raised(name: string): Query<readonly number[]> {
	const row = yield* one("SELECT n FROM counts WHERE name = ?", name);
	const before = Number(row?.["n"] ?? 0);
	const changes = yield* change("UPDATE counts SET n = ? WHERE name = ?", before + 1, name);
	yield* announce(name);
	const rows = yield* all("SELECT n FROM counts");
	return [before, changes, rows.length];
}

const REPLIES: readonly Reply[] = [
	{ rows: [{ n: 4 }, { n: 9 }], changes: 0 },
	{ rows: [], changes: 2 },
	NO_REPLY,
	{ rows: [{ n: 5 }], changes: 0 },
];

function answering(): {
	readonly asked: Statement[];
	readonly answer: (statement: Statement) => Reply;
} {
	const asked: Statement[] = [];
	const answer = (statement: Statement): Reply => {
		asked.push(statement);
		return REPLIES[asked.length - 1] ?? NO_REPLY;
	};
	return { asked, answer };
}

test("a query comes to the same at once and awaited, by the same statements in the same order", async () => {
	const [now, later] = [answering(), answering()];
	expect(performNow(raised("a"), now.answer)).toEqual([4, 2, 1]);
	expect(await perform(raised("a"), async (statement) => later.answer(statement))).toEqual([
		4, 2, 1,
	]);
	expect(now.asked).toEqual(later.asked);
	expect(now.asked.map(({ kind }) => kind)).toEqual(["one", "change", "announce", "all"]);
});

test("a statement that fails ends the query, and nothing after it is asked", async () => {
	const { asked, answer } = answering();
	const failing = (statement: Statement): Reply => {
		if (statement.kind === "change") throw new Error("full");
		return answer(statement);
	};
	expect(() => performNow(raised("a"), failing)).toThrow("full");
	await expect(perform(raised("a"), async (each) => failing(each))).rejects.toThrow("full");
	expect(asked.map(({ kind }) => kind)).toEqual(["one", "one"]);
});

test("a read locks its row only where there are several writers", () => {
	expect(locked("SELECT 1")).toEqual({ sqlite: "SELECT 1", postgres: "SELECT 1 FOR UPDATE" });
});
