import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { launchScript } from "./launch-script.ts";

const dir = mkdtempSync(join(tmpdir(), "spar-launch-"));

afterAll(() => rmSync(dir, { recursive: true }));

const plain = { env: {}, ports: [], restoreSignal: false };

function outputOf(text: string): string {
	const path = join(dir, "launch.sh");
	writeFileSync(path, text);
	return execFileSync("/bin/sh", ["-c", `. '${path}'`], { encoding: "utf8" });
}

test("arguments and variables pass the shell unchanged, whatever they hold", () => {
	const text = fc
		.string({ unit: anyCharacter, maxLength: 20 })
		.map((value) => value.replaceAll("\0", ""));
	fc.assert(
		fc.property(fc.array(text, { maxLength: 4 }), text, (args, value) => {
			const script = launchScript({
				...plain,
				command: ["sh", "-c", 'printf "%s\\0" "$V" "$@"', "sh", ...args],
				env: { V: value },
			});
			const expected = [value, ...args, ""].map((part) => Buffer.from(part).toString());
			expect(outputOf(script).split("\0")).toEqual(expected);
		}),
		{ numRuns: amount(30, 10) },
	);
});

test("a port of the loopback is relayed before the program starts", () => {
	const lines = launchScript({ ...plain, command: ["agent"], ports: [8080] }).split("\n");
	expect(lines.join("\n")).toContain("TCP6-LISTEN:8080,ipv6only=0,fork");
	expect(lines.join("\n")).toContain("PROXY:localhost:127.0.0.1:8080,");
	expect(lines.join("\n")).toContain("':1F90 0*:0000 0A'");
	expect(lines.at(-2)).toBe("exec 'agent'");
});

test("an ignored signal is set back for the program alone", () => {
	const script = launchScript({ ...plain, command: ["agent", "x"], restoreSignal: true });
	expect(script).toMatch(/^exec env --default-signal=TERM .*'agent' 'x'\n$/);
});
