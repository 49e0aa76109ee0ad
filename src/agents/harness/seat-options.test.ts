import { expect, test } from "vitest";
import { holdsOption } from "./seat-options.ts";

test.each([
	[["--model", "x"], true],
	[["--verbose", "--model=x"], true],
	[["-m", "x"], true],
	[["-mx"], true],
	[["--model-provider", "x"], false],
	[["--model-provider=x"], false],
	[["model"], false],
	[[], false],
])("%j gives a model: %s", (args, given) => {
	expect(holdsOption(args, "--model", "-m")).toBe(given);
});
