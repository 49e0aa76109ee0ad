import { expect, test } from "vitest";
import type { Rights } from "../rights.ts";
import { answerPermission } from "./permission.ts";

const options = ["reject_always", "reject_once", "allow_always", "allow_once"].map((kind) => ({
	kind,
	optionId: `the ${kind}`,
}));

const KINDS = [
	"read",
	"search",
	"think",
	"edit",
	"delete",
	"move",
	"execute",
	"fetch",
	"switch_mode",
	"other",
	"constructor",
	null,
];

const allowed = (
	rights: Rights,
	paths: "none" | "inside" | "outside",
): readonly (string | null)[] =>
	KINDS.filter(
		(kind) => answerPermission(rights, { kinds: [kind], paths, options }).refused === null,
	);

const LOOKING = ["read", "search", "think"];
const CHANGING = ["edit", "delete", "move"];
const RUNNING = ["execute", "fetch", "switch_mode"];

test.each([
	["write", "inside", [...LOOKING, ...CHANGING, ...RUNNING]],
	["write", "none", [...LOOKING, ...RUNNING]],
	["write", "outside", RUNNING],
	["restricted", "inside", [...LOOKING, ...CHANGING]],
	["restricted", "none", LOOKING],
	["restricted", "outside", []],
	["read", "inside", LOOKING],
	["read", "none", LOOKING],
	["read", "outside", []],
] as const)(
	"with rights to %s and paths %s just these kinds are allowed",
	(rights, paths, kinds) => {
		expect(allowed(rights, paths)).toEqual(kinds);
	},
);

test("permission is given once, and refused once where that is offered", () => {
	const asked = { kinds: ["edit"], paths: "inside", options } as const;
	expect(answerPermission("write", asked)).toEqual({ optionId: "the allow_once", refused: null });
	const refused = "this seat only reads";
	expect(answerPermission("read", asked)).toEqual({ optionId: "the reject_once", refused });
	const fewer = { ...asked, options: options.slice(0, 1) };
	expect(answerPermission("read", fewer)).toEqual({ optionId: "the reject_always", refused });
});

test("permanent permission is not taken in place of one-time permission", () => {
	const asked = { kinds: ["edit"], paths: "inside", options: options.slice(0, 3) } as const;
	const refused = "it offers no one-time permission";
	expect(answerPermission("write", asked)).toEqual({ optionId: "the reject_once", refused });
});

test.each([[null], [{}], ["allow_once"], [[null, 1, { kind: "reject_once", optionId: 5 }]]])(
	"options %j give nothing to choose",
	(hostile) => {
		const asked = { kinds: ["read"], paths: "none", options: hostile } as const;
		expect(answerPermission("write", asked).optionId).toBeNull();
	},
);

test("a tool of several kinds needs permission for each of them, and one without a kind never gets it", () => {
	const refusedAs = (...kinds: readonly (string | null)[]): string | null =>
		answerPermission("read", { kinds, paths: "inside", options }).refused;
	expect(refusedAs("read", "search")).toBeNull();
	expect(refusedAs("read", "edit")).toBe("this seat only reads");
	expect(refusedAs("execute", "read")).toBe("this seat runs no commands");
	expect(refusedAs("read", null)).toBe("a tool of unknown kind");
	expect(refusedAs()).toBe("a tool of unknown kind");
});
