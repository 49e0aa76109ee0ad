import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileRules, isIn, realPlaces } from "./real-places.ts";

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
