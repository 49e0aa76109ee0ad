import { expect, test } from "vitest";
import type { Write } from "../store/records.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import { arbiterFor } from "./conflict-attempt.ts";
import type { Ground } from "./context.ts";
import { aLog, theFacts } from "./scene.contract.ts";

const GEMINI = "google/gemini-flash-latest";

const agent = (name: string): AgentDefinition => ({
	name,
	adapter: "command",
	run: [name],
	env: [],
	timeoutMs: 1,
});

/** A pair of `dev` and `rev` beside further agents, in an environment where the named ones cannot be called. */
function ground(
	more: readonly string[],
	options: {
		readonly out?: readonly string[];
		readonly tieBreaker?: string;
		readonly known?: string;
		/** Agent that was called as verifier in the first turn. */
		readonly called?: string;
	} = {},
) {
	const written: Write[] = [];
	const agents = Object.fromEntries(["dev", "rev", ...more].map((name) => [name, agent(name)]));
	const { tieBreaker, out = [GEMINI] } = options;
	const facts = theFacts({
		task: { pair: { challenger: "rev" } },
		workflow: { agents, tieBreaker },
	});
	const context: Partial<Ground> = {
		...facts,
		log: aLog(2, "resolve_conflict"),
		// Of all reads these are the only ones.
		read: {
			step: () => Promise.resolve(options.known),
			calls: (turn: number, role: string) =>
				Promise.resolve(
					turn === 1 && role === "verifier" && options.called !== undefined
						? [{ agent: options.called }]
						: [],
				),
		} as unknown as Ground["read"],
		commit: (writes: readonly Write[]) => {
			written.push(...writes);
			return Promise.resolve();
		},
		obstacle: (name: string) => Promise.resolve(out.includes(name) ? `${name} needs a key` : null),
	};
	return { written, ask: () => arbiterFor(context as Ground, { id: "F1" }) };
}

test("the default tie-breaker is asked where it can be", async () => {
	const { written, ask } = ground(["third"], { out: [] });
	expect(await ask()).toEqual({ name: GEMINI });
	expect(written).toMatchObject([{ kind: "step", result: GEMINI }]);
});

test("an agent without a seat is asked in its place, and an event says so and why", async () => {
	const { written, ask } = ground(["third", "fourth"], { out: [GEMINI, "third"] });
	expect(await ask()).toEqual({ name: "fourth" });
	const data = {
		role: "tie_breaker",
		agent: GEMINI,
		fallback: "fourth",
		why: `${GEMINI} needs a key`,
	};
	expect(written).toMatchObject([
		{ kind: "step", result: "fourth" },
		{ kind: "event", event: { type: "agent-replaced", data } },
	]);
});

test.each<[string, readonly string[], readonly string[]]>([
	["no agent is free", [], [GEMINI]],
	["none that is free can be called", ["third"], [GEMINI, "third"]],
])("where %s, the default one fails for all to see", async (_name, more, out) => {
	const { written, ask } = ground(more, { out });
	expect(await ask()).toEqual({ name: GEMINI });
	expect(written).toHaveLength(1);
});

test("nobody stands in for a tie-breaker that the workflow names", async () => {
	const { ask } = ground(["third", "named"], { tieBreaker: "named", out: ["named"] });
	expect(await ask()).toEqual({ name: "named" });
});

test("whoever was chosen for a dispute is asked again after a kill, whatever can be called by then", async () => {
	const { written, ask } = ground(["third"], { known: "third", out: [] });
	expect(await ask()).toEqual({ name: "third" });
	expect(written).toEqual([]);
});

test("whoever verified the work in this task stands in for nobody, whatever the workflow says", async () => {
	expect(await ground(["third"], { called: "third" }).ask()).toEqual({ name: GEMINI });
	const { written, ask } = ground(["named"], { tieBreaker: "named", called: "named" });
	expect(await ask()).toEqual({
		nobody: "named took part in this task, so it does not decide a dispute about it",
	});
	expect(written).toEqual([]);
});
