import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";
import { tagsOf } from "./tags-of.ts";

const AGENTS = `
  dev: { adapter: claude, tags: [linux], fallback: spare }
  spare: { adapter: command, run: [spare], tags: [spare, linux] }
  coach: { adapter: codex, tags: [mac] }
  tester: { adapter: command, run: [tester], tags: [browser] }
  judge: { adapter: command, run: [judge], tags: [gpu] }
  arbiter: { adapter: gemini, tags: [keys] }
  planner: { adapter: command, run: [planner], tags: [plans] }
`;
const PAIR = "paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: coach }";

/** The tags of task `a`, of which the keys are given. */
function tags(task: string, top = ""): readonly string[] {
	const { workflow, errors } = loadWorkflow({
		content: `version: 1
agents:${AGENTS}
checks: { t: { kind: acceptance, run: npm test } }
planner: planner
${top}
tasks:
  a: { description: x, ${task} }
  b: { description: y, agent: judge }
`,
		file: "w.yaml",
		directory: "/repo",
	});
	const [first] = workflow?.tasks ?? [];
	if (workflow === null || first === undefined) throw new Error(JSON.stringify(errors));
	return tagsOf(workflow, first);
}

test("an agent's fallback has to run on the machine too", () => {
	expect(tags("agent: dev")).toEqual(["linux", "spare"]);
});

test("coach, evaluator, verifier and tie-breaker count, and the planner does not", () => {
	const scored =
		"confidence_loop: { enabled: true, metrics: [{ type: llm_judge, weight: 1, evaluator_agent: judge }] }";
	expect(
		tags(`overlays: { ${PAIR}, ${scored} }`, "tie_breaker: arbiter\nverifier: tester"),
	).toEqual(["browser", "gpu", "keys", "linux", "mac", "spare"]);
});

test("without a named tie-breaker those count that may be asked in its place", () => {
	expect(tags(`overlays: { ${PAIR} }`)).toContain("keys");
	expect(tags(`overlays: { ${PAIR} }`, "tie_breaker: tester")).not.toContain("keys");
});

test("a verifier counts unless the task declines verification", () => {
	const named = "verifier: tester\ntie_breaker: arbiter";
	expect(tags("agent: dev", named)).toContain("browser");
	expect(tags("agent: dev, requires_verification: false", named)).not.toContain("browser");
});

test("a verifier that is asked in another process counts there", () => {
	const named = "verifier: tester\ntie_breaker: arbiter";
	expect(tags("agent: dev", `${named}\nverification: { via: nats }`)).not.toContain("browser");
});
