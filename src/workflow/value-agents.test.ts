import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";

const load = (content: object, valueAgents: readonly string[] = ["dev"]) =>
	loadWorkflow({
		content: JSON.stringify({ version: 1, ...content }),
		file: "w.yaml",
		directory: "/repo",
		valueAgents,
	});
const tasks = { one: { agent: "dev", description: "x" } };

test("an agent that the program serves need not be in the file", () => {
	const { errors, workflow } = load({ tasks });
	expect(errors).toEqual([]);
	expect(workflow?.agents).toEqual({
		dev: { adapter: "value", name: "dev", env: [], timeoutMs: 1_800_000, fallback: undefined },
	});
	expect(load({ tasks }, []).errors).not.toEqual([]);
});

test("of one that is in the file all but how it is reached counts, and is checked", () => {
	const dev = { adapter: "acp", run: ["x"], login: "key", model: "m", timeout: "5m", env: ["KEY"] };
	expect(load({ agents: { dev }, tasks }).workflow?.agents).toMatchObject({
		dev: { adapter: "value", timeoutMs: 300_000, env: ["KEY"] },
	});
	const wrong = load({ agents: { dev: { ...dev, timeout: "soon" } }, tasks }).errors;
	expect(wrong).toHaveLength(1);
	expect(wrong[0]?.message).toContain("timeout");
	expect(load({ agents: { dev: { ...dev, fallback: "nobody" } }, tasks }).errors).toHaveLength(1);
});

test("other agents stay as they are, and what is no mapping is reported", () => {
	const agents = { rev: { adapter: "cassette", file: "a.jsonl" } };
	expect(load({ agents, tasks }).workflow?.agents).toMatchObject({
		rev: { adapter: "cassette", file: "/repo/a.jsonl" },
		dev: { adapter: "value" },
	});
	expect(load({ agents: [], tasks }).errors).not.toEqual([]);
	expect(load({ agents: { dev: 7 }, tasks }).errors).not.toEqual([]);
});

test("names are checked as those of the file are", () => {
	expect(load({ tasks }, ["dev", "a/b"]).errors[0]?.message).toContain("a/b");
});
