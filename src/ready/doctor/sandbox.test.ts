import { expect, test } from "vitest";
import { probeSandbox } from "../../process/sandbox/open-sandbox.ts";
import { leftoverLine, sandboxLine } from "./diagnose.ts";

const containing = (text: string): unknown => expect.stringContaining(text);

const here = { available: true, detail: "bubblewrap" } as const;
const gone = { available: false, reason: "no bwrap", fix: "Install it." } as const;
const OPEN =
	"agents and checks run with your own rights: they read and change what you can, files that git ignores (.env), other checkouts, Sparring's records, hidden tests and sign-ins included";

test.each([
	["auto", here, true, "auto: bubblewrap", null],
	["required", here, true, "required: bubblewrap", null],
	[undefined, here, true, "bubblewrap", null],
	[
		"off",
		here,
		"warn",
		`off: ${OPEN}, though this machine could confine them`,
		"Write `sandbox: auto`.",
	],
	["auto", gone, "warn", `auto: not here, so ${OPEN}: no bwrap`, "Install it."],
	["required", gone, false, "required, so nothing runs: no bwrap", "Install it."],
	[undefined, gone, "warn", `not here, so ${OPEN}: no bwrap`, "Install it."],
	[
		...(["off", gone, "warn"] as const),
		`off: ${OPEN}; this machine could not confine them: no bwrap`,
		"Install it.",
	],
] as const)("sandbox %s with %o is told plainly", (mode, probe, ok, detail, fix) => {
	expect(sandboxLine(mode, probe)).toEqual({ name: "sandbox", ok, detail, fix });
});

test("a machine without the programs of a sandbox is told what to install", async () => {
	const probe = await probeSandbox({ PATH: "/nowhere" });
	const line = sandboxLine("required", probe);
	expect(line).toMatchObject({ ok: false, fix: containing("") });
});

test("what becomes of leftover processes depends on the system and on the sandbox", () => {
	expect(leftoverLine("linux", true)).toMatchObject({
		ok: true,
		detail: containing("process namespace"),
	});
	expect(leftoverLine("linux", false)).toMatchObject({
		ok: true,
		detail: containing("may stay"),
	});
	expect(leftoverLine("darwin", true).ok).toBe("warn");
});
