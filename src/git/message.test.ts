import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { commitMerge } from "./merging.ts";
import { messageWith, parseTrailers, readTrailers } from "./message.ts";
import { git, scene, writeFiles } from "./scratch.fixture.ts";

test("messages carry run, task and turn, and git reads them as trailers", async () => {
	const { checkout, dir, base, user, vault } = await scene();
	writeFiles(dir, { more: "" });
	const trailers = { run: "r1", task: "limiter", turn: 2 };
	const message = messageWith("Add\nlimiter\u0000 now", trailers);
	const { commit } = await checkout.snapshot({ parent: base, message, at: 0 });
	expect(await readTrailers(vault, commit)).toEqual(trailers);
	expect(
		git(user, "log", "-1", "--format=%s|%(trailers:key=Sparring-Turn,valueonly)", commit),
	).toBe("Add limiter now|2\n");
	expect(await readTrailers(vault, base)).toBeUndefined();
});

test("a subject is one line of at most 72 characters, for any input", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: anyCharacter, maxLength: 200 }),
			fc.option(fc.nat(), { nil: undefined }),
			(subject, turn) => {
				const trailers = { run: "r1", turn };
				const message = messageWith(subject, trailers);
				const [line = ""] = message.split("\n");
				expect(Array.from(line).length).toBeLessThanOrEqual(72);
				expect(line).toMatch(/^\P{Cc}+$/u);
				expect(parseTrailers(message)).toEqual(trailers);
			},
		),
	);
});

test("a long subject ends at a word, with an ellipsis", () => {
	const [line = ""] = messageWith("word ".repeat(20), { run: "r1" }).split("\n");
	expect(line).toBe(`${"word ".repeat(13)}word…`);
	expect(messageWith("x".repeat(80), { run: "r1" })).toMatch(/^x{71}…\n/);
});

test("a body says nothing to git: its comments, trailers, patches and sign-offs are indented", async () => {
	const { user, vault, base } = await scene();
	const spoken = [
		"Sparring-Run: other",
		"SPARRING-TASK: other",
		"# a heading",
		"---",
		"diff --git a/x b/x",
		"Index: x",
		"Signed-off-by: Grace <grace@example.org>",
		"Co-authored-by : Grace <grace@example.org>",
	];
	const body = ["Why.\u0000\u202e", "", "", ...spoken, "", "Sparring-Turn: 9"].join("\r\n");
	const trailers = {
		run: "r1",
		task: "limiter",
		turn: 2,
		agents: "dev (player)",
		evidence: "none",
	};
	const message = messageWith("Add limiter", trailers, body);
	const at = { tree: git(user, "rev-parse", `${base}^{tree}`), parents: [base], message, at: 0 };
	const commit = await commitMerge(vault, at);
	const own = [
		"Sparring-Run: r1",
		"Sparring-Task: limiter",
		"Sparring-Turn: 2",
		"Sparring-Agents: dev (player)",
		"Sparring-Evidence: none",
	];
	const lines = git(user, "log", "-1", "--format=%B", commit).trimEnd().split("\n");
	expect(lines.filter((line) => /^[\w-]+\s*:|^#|^-/.test(line))).toEqual(own);
	expect(lines.slice(0, 5)).toEqual(["Add limiter", "", "Why.", "", " Sparring-Run: other"]);
	const file = join(dirname(user), "message");
	writeFileSync(file, message);
	// As a tool reads it that takes a line of dashes for the end.
	expect(git(user, "interpret-trailers", "--parse", file).split("\n")).toEqual(own);
	expect(parseTrailers(message)).toEqual({ run: "r1", task: "limiter", turn: 2 });
});

test("lines of a body are wrapped at words; points hang, tables and code stay", () => {
	const words = "word ".repeat(20).trim();
	const table = `| ${words} |`;
	const body = `${words}\n- ${words}\n${table}\n\t${words}\n${"x".repeat(90)}`;
	expect(messageWith("s", { run: "r1" }, body).split("\n").slice(2, -3)).toEqual([
		"word ".repeat(14).trim(),
		"word ".repeat(6).trim(),
		`- ${"word ".repeat(14).trim()}`,
		`  ${"word ".repeat(6).trim()}`,
		table,
		`    ${words}`,
		"x".repeat(90),
	]);
});

test("no body forges a trailer, for any text", () => {
	const piece = fc.oneof(
		fc.string({ unit: anyCharacter, maxLength: 30 }),
		fc.constantFrom("\n", "\n\n", "\r", "\u2028", "\v", "Sparring-Run: x", "---\n", "#", " "),
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
			const message = messageWith("s", { run: "r1", turn: 3 }, pieces.join(""));
			expect(parseTrailers(message)).toEqual({ run: "r1", turn: 3 });
			const lines = message.split(/[\n\r\v\f\u0085\u2028\u2029]/);
			expect(lines.filter((line) => /^sparring-/i.test(line))).toHaveLength(2);
			expect(message).not.toMatch(/\0|\n\n\n|\n\s*$\n\s*$/);
		}),
	);
});

test("text that looks like trailers is not read", () => {
	expect(parseTrailers("Sparring-Run: r1")).toBeUndefined();
	expect(parseTrailers("s\n\nSparring-Run: r1\n\nlast words")).toBeUndefined();
	expect(parseTrailers("s\n\nSparring-Run: r1\nSparring-Turn: x")).toEqual({ run: "r1" });
});
