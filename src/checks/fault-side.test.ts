import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { noMasker } from "../masking/masking.ts";
import { ALL_EXCUSED } from "../wall/replay/void-replay.ts";
import { definitionHash } from "./definition.ts";
import { spoiltOf, whoseFault } from "./fault-side.ts";
import { capText, clipDetails, tailOf } from "./run-check.ts";

const error = evidence({ status: "error", reason: "timed out" });

test("a failure is the player's, a pass nobody's", () => {
	expect(whoseFault(evidence({ status: "fail" }), undefined)).toBe("player");
	expect(whoseFault(evidence(), undefined)).toBe("none");
});

test("a missing value is the player's fault only if there was one before and the command started", () => {
	expect(whoseFault(error, evidence())).toBe("player");
	expect(whoseFault(error, evidence({ status: "fail" }))).toBe("player");
	expect(whoseFault({ ...error, started: false }, evidence())).toBe("environment");
	expect(whoseFault(error, error)).toBe("environment");
	expect(whoseFault(error, undefined)).toBe("environment");
});

test("a tolerated check is nobody's", () => {
	const tolerated = evidence({ status: "absent", reason: "tolerated: red at the baseline" });
	expect(whoseFault(tolerated, evidence({ status: "fail" }))).toBe("none");
});

test("a replay that had nothing to replay is nobody's", () => {
	const empty = evidence({ kind: "replay", status: "absent", reason: ALL_EXCUSED });
	expect(whoseFault(empty, undefined)).toBe("none");
	expect(whoseFault({ ...empty, reason: "no tests ran" }, undefined)).toBe("environment");
});

test("the definition's hash follows the check, the setup and the surroundings", () => {
	const check = { name: "t", kind: "lint", run: "x", timeoutMs: 1, baseline: "new" } as const;
	const hash = definitionHash(check, ["a"], "here");
	expect(hash).toMatch(/^[0-9a-f]{64}$/);
	expect(definitionHash({ ...check, run: "y" }, ["a"], "here")).not.toBe(hash);
	expect(definitionHash(check, ["b"], "here")).not.toBe(hash);
	expect(definitionHash(check, ["a"], "elsewhere")).not.toBe(hash);
});

test("a full disk and an unwritable directory are faults of their own; other causes keep theirs", async () => {
	const fail = (code?: string) =>
		asStateFault("/state/x", async () => {
			throw Object.assign(new Error("no"), code === undefined ? {} : { code });
		});
	await expect(fail("ENOSPC")).rejects.toMatchObject({ code: "disk-full" });
	await expect(fail("EDQUOT")).rejects.toMatchObject({ code: "disk-full" });
	await expect(fail("EROFS")).rejects.toMatchObject({ code: "state-unwritable" });
	await expect(fail()).rejects.toThrow("/state/x");
});

test("texts are truncated at line ends", () => {
	expect(capText("abcdefgh", 4)).toBe("ab\n[... 4 characters left out ...]\ngh");
	expect(capText("abcd", 4)).toBe("abcd");
	expect(tailOf(`${"x".repeat(4_000)}\nend\n`)).toBe("end\n");
	expect(tailOf("x".repeat(5_000))).toHaveLength(4_000);
	expect(tailOf(`${"x".repeat(5_000)}\n`)).toHaveLength(4_000);
	expect(clipDetails(["a"], noMasker)).toEqual(["a"]);
});

test("a replay without a value is judged by the baseline of its check", () => {
	const replay = evidence({ check: "replay:tests", kind: "replay", status: "error" });
	expect(spoiltOf([replay], new Map([["tests", evidence()]]))).toEqual([]);
	expect(spoiltOf([replay], new Map())).toEqual([replay]);
	expect(spoiltOf([{ ...replay, kind: "lint" }], new Map())).toEqual([]);
});
