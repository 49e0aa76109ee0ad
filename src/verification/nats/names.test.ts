import { expect, test } from "vitest";
import { contextKey, presenceSubject, resultSubject } from "./messages.ts";

const NAMES = {
	resultSubjectPrefix: "workflow.result.test-verifier",
	contextSubjectPrefix: "context.build",
	streamName: "WORKFLOW",
	consumerName: "test-verifier",
};

test("a run and a task are one part each of a subject, whatever they are called", () => {
	expect(resultSubject(NAMES, "20261123-0900-k3f9", "limiter")).toBe(
		"workflow.result.test-verifier.20261123-0900-k3f9.limiter",
	);
	expect(resultSubject(NAMES, "r1", "v1.2")).toBe("workflow.result.test-verifier.r1.v1=2E2");
});

test("what requests are about lies in the bucket by their ids", () => {
	expect(contextKey(NAMES, "r1/a.b/1/3/9f86/0")).toBe("context.build.r1.a=2Eb.1.3.9f86.0");
});

test("who serves is asked outside of the stream's subjects", () => {
	expect(presenceSubject(NAMES)).toBe("sparring.presence.WORKFLOW.test-verifier");
});
