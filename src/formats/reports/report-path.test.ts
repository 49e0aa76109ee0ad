import fc from "fast-check";
import { expect, test } from "vitest";
import { placePath } from "./report-path.ts";

const ROOTS = ["/checkout", "/private/checkout/"];

test.each([
	["src/a.js", "src/a.js"],
	["./src//a.js", "src/a.js"],
	["src\\a.js", "src/a.js"],
	["/checkout/src/a.js", "src/a.js"],
	["/private/checkout/./src/a.js", "src/a.js"],
	["a..b/c.js", "a..b/c.js"],
])("%s lies inside", (raw, path) => {
	expect(placePath(raw, ROOTS)).toBe(path);
});

test.each(["/etc/passwd", "/checkouts/a.js", "/checkout2/a.js", "C:\\a.js"])(
	"%s lies outside",
	(raw) => {
		expect(placePath(raw, ROOTS)).toBeUndefined();
	},
);

test.each([
	"",
	".",
	"/",
	"../a.js",
	"/checkout/../etc/passwd",
	"src/../../a",
	"a\0b",
	".git/config",
	"..\\a",
])("%j is refused", (raw) => {
	expect(placePath(raw, ROOTS)).toBeUndefined();
});

test("with the root of the file system as checkout, nothing is inside", () => {
	expect(placePath("/etc/passwd", ["/", ""])).toBeUndefined();
});

test("a path inside is relative and does not contain ..", () => {
	const part = fc.oneof(fc.constantFrom("..", ".", "", "checkout", "src", "C:"), fc.string());
	fc.assert(
		fc.property(fc.array(part), (parts) => {
			const placed = placePath(parts.join("/"), ROOTS);
			if (placed === undefined) return;
			expect(placed).not.toMatch(/^\/|(^|\/)\.\.(\/|$)|\0/);
		}),
	);
});
