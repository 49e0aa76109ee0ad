import { expect, test } from "vitest";
import { compileCacheDirectory } from "./compile-cache.ts";

test("compiled code is kept in the user's own cache, which a variable can move", () => {
	expect(compileCacheDirectory({}, "/home/me")).toBe("/home/me/.cache/sparring/compile");
	expect(compileCacheDirectory({ XDG_CACHE_HOME: "/caches" }, "/home/me")).toBe(
		"/caches/sparring/compile",
	);
});

test("a relative directory is none: the checkout that a command starts in is not the user's own", () => {
	for (const XDG_CACHE_HOME of ["", "cache", "./cache"]) {
		expect(compileCacheDirectory({ XDG_CACHE_HOME }, "/home/me")).toBe(
			"/home/me/.cache/sparring/compile",
		);
	}
});

test("a user whose home directory is empty or relative has no cache", () => {
	for (const home of ["", ".", "home"]) expect(compileCacheDirectory({}, home)).toBeNull();
	expect(compileCacheDirectory({ XDG_CACHE_HOME: "/caches" }, "")).toBe("/caches/sparring/compile");
});
