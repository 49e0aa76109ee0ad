import { expect, test } from "vitest";
import { formatUsd } from "./money.ts";

test.each([
	[0, "$0.00"],
	[0.00001, "<$0.0001"],
	[0.0001, "$0.0001"],
	[0.0045, "$0.0045"],
	[0.05, "$0.0500"],
	[0.1, "$0.10"],
	[0.424, "$0.42"],
	[1234.5, "$1234.50"],
])("%d dollars are written as %s", (usd, text) => {
	expect(formatUsd(usd)).toBe(text);
});
