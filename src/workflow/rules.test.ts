import { describe, expect, test } from "vitest";
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

describe("a verifier that is also the player, or of its family", () => {
	const warnings = (rest: string) =>
		load(rest).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
	const kin = (family: string, player: string, verifier: string, task = "a") =>
		`7:1 the verifier ${verifier} is of the same family (${family}) as the player ${player} of task ${task}`;
	const SAME = kin("the same agent", "dev", "dev");

	test("is warned of where it is named, once an agent", () => {
		expect(warnings(`verifier: dev\n${TASK}`)).toEqual([SAME]);
		expect(warnings(`verification: { agent: dev }\n${TASK}`)).toEqual([
			SAME.replace("7:1", "7:17"),
		]);
		const two = "tasks: { a: { agent: dev, description: x }, b: { agent: dev, description: x } }\n";
		expect(warnings(`verifier: dev\n${two}`)).toEqual([SAME]);
	});

	test("is one through a fallback, and through the maker of its model", () => {
		const agents = `version: 1
agents:
  dev: { adapter: claude, fallback: eve }
  eve: { adapter: command, run: [sh] }
  sonnet: { adapter: claude, model: sonnet }
  gpt: { adapter: codex }
checks: { t: { kind: acceptance, run: "true" } }
`;
		const of = (verifier: string) =>
			loadWorkflow({
				content: `${agents}verifier: ${verifier}\n${TASK}`,
				file: "w.yaml",
				directory: "/r",
			}).warnings.map(({ message }) => message);
		expect(of("gpt")).toEqual([]);
		expect(of("sonnet")).toEqual([kin("anthropic", "dev", "sonnet").slice(4)]);
		expect(of("eve")).toEqual([
			kin("the same agent", "dev (through its fallback eve)", "eve").slice(4),
		]);
	});

	test("is none where the task is not verified, or another one plays; in a pair that swaps its seats both play", () => {
		const declined = "tasks: { a: { agent: dev, description: x, requires_verification: false } }\n";
		expect(warnings(`verifier: dev\n${declined}`)).toEqual([]);
		const paired = (more = "") =>
			`tasks: { a: { description: x${pair("eve").replace("driver", `${more}driver`)} } }\n`;
		expect(warnings(`verifier: eve\n${paired()}`)).toEqual([]);
		expect(warnings(`verifier: eve\n${paired("role_switch: subtask, ")}`)).toContain(
			kin("the same agent", "eve", "eve"),
		);
		expect(warnings(paired())).toEqual([]);
	});
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

describe("verification in another process", () => {
	const policy = (verification: string) => {
		const { workflow, errors: found } = load(`verification: ${verification}\n${TASK}`);
		expect(found).toEqual([]);
		return workflow?.verification;
	};

	test("without `via` it stays in the process of the run, whatever `nats` says", () => {
		const { via, nats, timeoutMs } = policy("{ nats: { stream_name: S } }") ?? {};
		expect([via, nats, timeoutMs]).toEqual([undefined, undefined, undefined]);
	});

	test("`via: nats` has the names and limits of the component unless the file says others", () => {
		expect(policy("{ via: nats }")).toMatchObject({
			via: "nats",
			timeoutMs: 180_000,
			nats: {
				servers: [],
				streamName: "WORKFLOW",
				consumerName: "test-verifier",
				triggerSubject: "workflow.async.test-verifier",
				resultSubjectPrefix: "workflow.result.test-verifier",
				contextResponseBucket: "CONTEXT_RESPONSES",
				contextSubjectPrefix: "context.build",
				contextTimeoutMs: 60_000,
				ackWaitMs: 30_000,
			},
		});
		const own = policy("{ via: nats, nats: { stream_name: S, llm_timeout: 20m, ack_wait: 5s } }");
		expect(own).toMatchObject({
			timeoutMs: 1_200_000,
			nats: { streamName: "S", ackWaitMs: 5_000 },
		});
		expect(policy("{ via: nats, timeout: 9m }")).toMatchObject({ timeoutMs: 540_000 });
	});

	test("one call has one limit", () => {
		const both = "{ via: nats, timeout: 9m, nats: { llm_timeout: 3m } }";
		expect(errors(`verification: ${both}\n${TASK}`)).toEqual([
			"verification.nats.llm_timeout and verification.timeout limit the same calls",
		]);
	});

	test("credentials in an address are refused, and not repeated", () => {
		const found = load(
			`verification: { via: nats, nats: { servers: ["nats://eve:hunter2@mq:4222"] } }\n${TASK}`,
		).errors;
		expect(found.map(({ message }) => message)).toEqual([
			expect.stringContaining("must hold no user, password or token: set NATS_USER"),
		]);
		expect(JSON.stringify(found)).not.toContain("hunter2");
	});

	test.each([
		["via: queue", 'verification.via must be one of in_process, nats, not "queue"'],
		["nats: { trigger_subject: 'a.*' }", "must be a subject such as"],
		["nats: { stream_name: 'a b' }", "may only contain letters"],
		["nats: { servers: [mq] }", "must be an address such as nats://127.0.0.1:4222"],
		["nats: { stream: S }", 'unknown key "stream"'],
	])("%s is refused", (keys, said) => {
		expect(errors(`verification: { ${keys} }\n${TASK}`).join()).toContain(said);
	});
});
