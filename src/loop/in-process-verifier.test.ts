import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { git } from "../git/scratch.fixture.ts";
import {
	describeVerifierContract,
	tapTest,
	type VerifierScript,
} from "../verification/verifier.contract.ts";
import { verifierStand as make } from "./verifier-stand.fixture.ts";

describeVerifierContract("verification in this process", make);

const SCRIPT: VerifierScript = {
	base: { "limit.sh": "echo 0\n" },
	work: { "limit.sh": "echo 3\n" },
	steps: [
		{
			files: { "test/limit.sh": tapTest("allows three", '[ "$(sh limit.sh)" = 3 ]') },
			report: { run: "sh test/limit.sh" },
		},
	],
};

thorough("a kill after the answer takes the tests from the checkout, and asks nobody", async () => {
	const { open, request, calls, unstore, kept } = await make(SCRIPT);
	const first = await open().verify(request);
	unstore("verification-");
	expect(await open().verify(request)).toEqual(first);
	expect(calls()).toBe(1);
	expect(kept).toEqual(["verification-1-1", "verification-1-1"]);
});

thorough("an answer whose checkout is gone is asked for again, once", async () => {
	const { open, request, calls, unstore, forget } = await make(SCRIPT);
	await open().verify(request);
	unstore("verification-");
	await forget();
	expect(await open().verify(request)).toMatchObject({ result: { verdict: "passed" } });
	expect(calls()).toBe(2);
});

thorough("the agent works on a commit without history, and is told of no other", async () => {
	const { open, request, called, user } = await make(SCRIPT);
	await open().verify(request);
	const [call] = called;
	const context: unknown = JSON.parse(readFileSync(call?.contextPath ?? "", "utf8"));
	expect(context).toMatchObject({
		role: "verifier",
		findings: [],
		evidence: [],
		pair: null,
		verification: {
			test_paths: ["test/integration/**"],
			survivors: [{ file: "limit.js", line: 1, operator: "number", old: "f(3)", new: "f(4)" }],
			problem: null,
		},
	});
	const { base, commit } = Object(context) as { base: string; commit: string };
	expect(new Set([base, commit, request.base, request.commit]).size).toBe(4);
	expect(git(user, "log", "--format=%s", commit)).toBe("The work to verify");
	expect(git(user, "diff", "--name-only", request.commit, commit)).toBe("");
});
