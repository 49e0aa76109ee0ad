import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { rowCodec } from "./table.ts";

interface Sample {
	readonly name: string | null;
	readonly count: number | null;
	readonly done: boolean | null;
	readonly parts: readonly string[] | null;
	readonly extra?: readonly string[] | null;
}

const codec = rowCodec<Sample>({
	name: ["name_text", "text?"],
	count: ["n", "real?"],
	done: ["done", "flag?"],
	parts: ["parts", "json?"],
	extra: ["extra", "omitted"],
});

test("any record comes back as it was encoded", () => {
	const sample = fc.record({
		name: fc.option(fc.string({ unit: anyCharacter })),
		count: fc.option(fc.double({ noNaN: true })),
		done: fc.option(fc.boolean()),
		parts: fc.option(fc.array(fc.string({ unit: anyCharacter }))),
	});
	fc.assert(
		fc.property(sample, (record) => {
			const columns = codec.list.split(", ");
			const values = codec.encode(record);
			// True because the codec makes text, numbers and null only.
			const row = Object.fromEntries(
				columns.map((column, index) => [column, values[index] as string | number | null]),
			);
			expect(codec.decode(row)).toEqual(record);
		}),
	);
});

test("a field that may be left out is left out where there is nothing", () => {
	const none = { name: null, count: null, done: null, parts: null };
	expect(codec.encode(none)).toEqual([null, null, null, null, null]);
	expect(codec.encode({ ...none, extra: null })).toEqual(codec.encode(none));
	const row = { name_text: null, n: null, done: null, parts: null };
	expect("extra" in codec.decode({ ...row, extra: null })).toBe(false);
	expect(codec.decode({ ...row, extra: "[]" })).toEqual({ ...none, extra: [] });
});

test("a patch assigns what it holds, null included, and nothing else", () => {
	expect(codec.assign({ count: 0, name: null })).toEqual({
		sql: "name_text = ?, n = ?",
		values: [null, 0],
	});
	expect(codec.assign({})).toBeUndefined();
});
