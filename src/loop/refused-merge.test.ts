import { expect, test } from "vitest";
import { turn } from "../store/record-builders.contract.ts";
import { changesOf } from "../wall/integrity/inspect.fixture.ts";
import type { NodeInput } from "./node-input.ts";
import { isNamed, type UndecidedConflict, undecidedConflict } from "./refused-merge.ts";
import { scene } from "./scene.contract.ts";

test.each([
	["logo.bin", "old/logo.bin of the other task is right.", false],
	["logo.bin", "logo.bin.old is right", false],
	["logo.bin", "my-logo.bin is right", false],
	["app", "I happened to change the bin/apps.", false],
	["app", "app/main is right", false],
	["a", "as it is", false],
	["a.bin", "xa.bin, but a.bin as well", true],
	["logo.bin", "I kept logo.bin.", true],
	["logo.bin", "`./logo.bin` is right", true],
	["logo.bin", "../logo.bin is right", false],
	["logo.bin", "old/./logo.bin is right", false],
	["old/logo.bin", "(old/logo.bin)", true],
	["a b.bin", 'both "a b.bin" and c', true],
	["größe.bin", "größe.bin", true],
	["öße.bin", "größe.bin", false],
])("of %s, %j speaks: %s", (path, text, expected) => {
	expect(isNamed(path, text)).toBe(expected);
});

/** What is undecided of a stored conflict about `a.bin`, where the player says and changes what is given. */
function undecided(
	{ notes = "", changed = [] as readonly string[] },
	commits: Partial<NodeInput["commits"]> = {},
): Promise<UndecidedConflict | null> {
	const stored = { commit: "m1", paths: ["a.bin"] };
	return undecidedConflict(
		scene({
			read: {
				step: <T>() => Promise.resolve(stored as T),
				turn: (number) => Promise.resolve(turn({ turn: number, notes })),
			},
			commits: {
				isAncestor: () => Promise.resolve(true),
				changes: () =>
					Promise.resolve(changesOf({}, Object.fromEntries(changed.map((path) => [path, ""])))),
				...commits,
			},
		}).input,
	);
}

test("a file stays undecided until it is changed or named", async () => {
	expect(await undecided({ changed: ["b.bin"] })).toEqual({ commit: "m1", paths: ["a.bin"] });
	expect(await undecided({ changed: ["a.bin"] })).toEqual({ commit: "m1", paths: [] });
	expect(await undecided({ notes: "a.bin is right" })).toEqual({ commit: "m1", paths: [] });
});

test("a task that went back behind the merge has nothing to decide, also where the merge is gone", async () => {
	const behind = { isAncestor: () => Promise.resolve(false) };
	expect(await undecided({}, behind)).toEqual({ commit: "m1", paths: [] });
	const gone = {
		isCommit: () => Promise.resolve(false),
		isAncestor: () => Promise.reject(new Error("not a commit")),
	};
	expect(await undecided({}, gone)).toEqual({ commit: "m1", paths: [] });
});

test("without a refused merge there is nothing to decide", async () => {
	expect(await undecidedConflict(scene().input)).toBeNull();
});
