import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";
import { verifierOf } from "./verifier-of.ts";

const AGENTS = `version: 1
agents:
  dev: { adapter: command, run: [sh] }
  eve: { adapter: command, run: [sh] }
  api: { adapter: model, model: google/flash }
checks: { t: { kind: acceptance, run: "true" } }
`;
const load = (rest: string) =>
	loadWorkflow({ content: AGENTS + rest, file: "w.yaml", directory: "/r" });
const errors = (rest: string) => load(rest).errors.map(({ message }) => message);
const TASK = "tasks: { a: { agent: dev, description: x } }\n";
const required = (overlays = "") =>
	`tasks: { a: { agent: dev, description: x, requires_verification: true${overlays} } }\n`;
const pair = (challenger: string) =>
	`, overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: ${challenger} } }`;

test("a task that requires verification needs somebody who can verify it", () => {
	const message = 'task "a" requires verification, and nobody can verify it';
	expect(errors(required())).toEqual([message]);
	expect(errors(required(pair("api")))).toEqual([message]);
	expect(errors(required(pair("eve")))).toEqual([]);
	expect(errors(`verifier: eve\n${required()}`)).toEqual([]);
	expect(errors(`verification: { agent: eve }\n${required()}`)).toEqual([]);
});

test("a verifier is a known agent that can write files", () => {
	expect(errors(`verifier: evee\n${TASK}`)).toEqual(['unknown agent "evee"']);
	expect(errors(`verification: { agent: evee }\n${TASK}`)).toEqual(['unknown agent "evee"']);
	expect(errors(`verifier: api\n${TASK}`)).toEqual([
		"the verifier api is a model by API, which cannot write tests",
	]);
});

test("both names of the verifier may stand, with one value", () => {
	expect(errors(`verifier: eve\nverification: { agent: eve }\n${TASK}`)).toEqual([]);
	expect(errors(`verifier: eve\nverification: { agent: dev }\n${TASK}`)).toEqual([
		'verification.agent "dev" differs from verifier "eve"',
	]);
});

test("limits are read, and impossible ones refused", () => {
	const full = "verification: { timeout: 5m, attempts: 2, run_timeout: 90s, paths: [spec/**] }\n";
	expect(load(full + TASK).workflow?.verification).toEqual({
		timeoutMs: 300_000,
		attempts: 2,
		runTimeoutMs: 90_000,
		paths: ["spec/**"],
	});
	expect(errors(`verification: { attempts: 0, run_timeout: soon }\n${TASK}`)).toHaveLength(2);
});

test("the challenger of a pair verifies where nobody is named, unless it cannot write", () => {
	const of = (rest: string) => {
		const { workflow } = load(rest);
		const [task] = workflow?.tasks ?? [];
		return workflow === null || task === undefined ? undefined : verifierOf(workflow, task);
	};
	const paired = (challenger: string) =>
		`tasks: { a: { agent: dev, description: x${pair(challenger)} } }\n`;
	expect(of(TASK)).toBeNull();
	expect(of(paired("eve"))).toBe("eve");
	expect(of(paired("api"))).toBeNull();
	expect(of(`verifier: dev\n${paired("eve")}`)).toBe("dev");
});

test("the flag and its reason are kept as they are written", () => {
	const of = (flag: string) =>
		load(`verifier: eve\ntasks: { a: { agent: dev, description: x, ${flag} } }\n`).workflow
			?.tasks[0];
	expect(of("requires_verification: false, verification_reason: docs only")).toMatchObject({
		requiresVerification: "false",
		verificationReason: "docs only",
	});
	expect(of("requires_verification: true")).toMatchObject({ requiresVerification: "true" });
	expect(of("max_turns: 3")).toMatchObject({ requiresVerification: "auto" });
});
