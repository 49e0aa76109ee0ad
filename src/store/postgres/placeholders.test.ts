import { expect, test } from "vitest";
import { withPlaceholders } from "./placeholders.ts";

test.each([
	["a = ? AND b = ?", "a = $1 AND b = $2"],
	["a = ?1 AND b = ?2 AND c = ?1", "a = $1 AND b = $2 AND c = $1"],
	["a = ?3 AND b = ?", "a = $3 AND b = $4"],
	["a = '?' AND b = ?", "a = '?' AND b = $1"],
	["a = 'it''s ?' AND b = ?", "a = 'it''s ?' AND b = $1"],
	["a = 1", "a = 1"],
])("%s is %s", (sql, expected) => {
	expect(withPlaceholders(sql)).toBe(expected);
	expect(withPlaceholders(sql)).toBe(expected);
});
