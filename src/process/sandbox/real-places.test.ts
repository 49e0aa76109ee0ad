import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isIn } from "../hidden-places.ts";
import { closing, fileRules, realPlaces } from "./real-places.ts";

let root = "";
const at = (name: string): string => join(root, name);

beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "spar-places-")));
	for (const name of ["repository", "repository/state", "checkout", "home", "home/store"]) {
		mkdirSync(at(name));
	}
	symlinkSync(at("repository"), at("link"));
});

afterEach(() => rmSync(root, { recursive: true }));

test("a path lies in itself and in what holds it, not in a namesake", () => {
	expect(isIn("/a/b", "/a")).toBe(true);
	expect(isIn("/a", "/a")).toBe(true);
	expect(isIn("/ab", "/a")).toBe(false);
	expect(isIn("/a", "/")).toBe(true);
});

test("links are followed, what does not exist is left out, nothing comes twice", () => {
	expect(realPlaces([at("link"), at("repository"), at("none"), "", "src"])).toEqual([
		at("repository"),
	]);
});

test("what is never writable stays so through a link and further down", () => {
	const writable = [at("link"), at("repository/state"), at("checkout")];
	const rules = fileRules({ writable, never: [at("repository")], hidden: [] });
	expect(rules).toEqual({
		writable: [at("checkout")],
		readOnly: [at("repository")],
		hidden: [],
	});
});

test("a hidden place is shown to a call that may write there, or in it", () => {
	const hidden = [at("home")];
	const rules = (writable: string): readonly string[] =>
		fileRules({ writable: [writable], never: [], hidden }).hidden;
	expect(rules(at("checkout"))).toEqual(hidden);
	expect(rules(at("home"))).toEqual([]);
	expect(rules(at("home/store"))).toEqual([]);
	expect(rules(root)).toEqual(hidden);
});

test("a hidden place is shown to a call that has to read in it", () => {
	const hidden = [at("home")];
	const rules = (readable: string): readonly string[] =>
		fileRules({ writable: [], readable: [readable], never: [], hidden }).hidden;
	expect(rules(at("home/store"))).toEqual([]);
	expect(rules(at("checkout"))).toEqual(hidden);
});

const rulesFor = (writable: readonly string[], closed: readonly string[], own: readonly string[]) =>
	closing(fileRules({ writable, never: [], hidden: [at("home/store")] }), { closed, own });

test("a closed place shows what a call may write and what is its own, nothing that is named around it", () => {
	mkdirSync(at("repository/objects"));
	const closed = [at("repository")];
	const rules = rulesFor([at("repository/state")], closed, [at("repository/objects"), root, "/"]);
	expect(rules).toMatchObject({
		closed,
		visible: [at("repository/state"), at("repository/objects")],
	});
	expect(rulesFor([], closed, [at("repository")])).toMatchObject({ closed, visible: [] });
	expect(rulesFor([], closed, [root, "/"]).hidden).toEqual([at("home/store")]);
});

test("a place in a closed one is closed with it, and by itself in what is shown of that one", () => {
	const closed = [root, at("repository"), at("repository/state")];
	expect(rulesFor([], closed, []).closed).toEqual([root]);
	// Shown or not: a closed place stays closed, and what is in it with it.
	expect(rulesFor([], closed, [at("repository")]).closed).toEqual([root, at("repository")]);
	const inner = rulesFor([], [root, at("repository/state")], [at("repository")]);
	expect(inner.closed).toEqual([root, at("repository/state")]);
	mkdirSync(at("home/store/project"));
	expect(rulesFor([], [at("home/store/project")], []).closed).toEqual([]);
});

test("a folder that is shown leaves what is writable in it writable", () => {
	for (const name of ["call", "call/report"]) mkdirSync(at(`checkout/${name}`));
	writeFileSync(at("checkout/call/prompt.md"), "");
	const rules = rulesFor([at("checkout/call/report")], [at("checkout")], [at("checkout/call")]);
	expect(rules.visible.toSorted()).toEqual([
		...new Set([at("checkout/call/prompt.md"), at("checkout/call/report")]),
	]);
});

test("a link that is shown is found by its name and leads to its target", () => {
	writeFileSync(at("repository/agent.sh"), "");
	symlinkSync("agent.sh", at("repository/alias.sh"));
	const { visible } = rulesFor([], [at("repository")], [at("link/alias.sh")]);
	expect(visible).toEqual([at("repository/agent.sh"), at("repository/alias.sh")]);
});
