import { expect, test } from "vitest";
import { maskerFor } from "../../masking/masking.ts";
import { recordedLine } from "./recorded-line.ts";

test("a secret in the name of a file is masked, and said to be", () => {
	const masker = maskerFor([{ value: "tok-1234567890", rule: "env" }]);
	const file = { path: "f-tok-1234567890.txt", content: Buffer.from("x"), mode: "100644" };
	const call = {
		role: "player",
		agent: "dev",
		task: "t",
		subtask: null,
		turn: 1,
		call: 1,
	} as const;
	const outcome = { kind: "answered", report: null, output: "", ms: 1, usage: null } as const;
	const { line, maskedPaths } = recordedLine(call, outcome, [file], masker);
	expect(JSON.stringify(line)).not.toContain("tok-1234567890");
	expect(maskedPaths).toHaveLength(1);
	expect(maskedPaths[0]).toContain("[MASKED:env:");
});
