import { expect, test } from "vitest";
import { DEFAULT_TIE_BREAKER } from "../workflow/tie-breaker-of.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import { reachableHosts } from "./reachable-hosts.ts";

const agent = (adapter: "claude" | "codex", env: readonly string[] = []): AgentDefinition => ({
	adapter,
	name: adapter,
	args: [],
	login: "user",
	env,
	timeoutMs: 1_000,
});

test("an agent brings the hosts of its models, and nobody else's", () => {
	const hosts = reachableHosts({ agents: { dev: agent("claude") }, setup: [] }, {});
	expect(hosts).toContain("api.anthropic.com");
	expect(hosts).not.toContain("api.openai.com");
	expect(hosts).not.toContain("registry.npmjs.org");
});

test("a tie-breaker of the file brings its hosts, the default one needs none: it is called from outside", () => {
	const agents = { dev: agent("claude"), arbiter: agent("codex") };
	expect(reachableHosts({ agents, setup: [] }, {})).toContain("api.openai.com");
	const model = reachableHosts({ agents: { default: DEFAULT_TIE_BREAKER }, setup: [] }, {});
	expect(model).toEqual([]);
});

test("a setup brings the registries, and the workflow what it lists", () => {
	const sandbox = { mode: "auto", allowHosts: ["packages.example.org"] } as const;
	const hosts = reachableHosts({ agents: {}, setup: ["npm ci"], sandbox }, {});
	expect(hosts).toEqual(expect.arrayContaining(["registry.npmjs.org", "packages.example.org"]));
});

test("an address in a variable that is passed on is reachable, other values are none", () => {
	const dev = agent("codex", ["BASE", "TOKEN", "BROKEN", "UNSET"]);
	const env = {
		BASE: "http://127.0.0.1:8080/v1",
		TOKEN: "secret",
		BROKEN: "http://",
		OTHER: "https://other.example.org",
	};
	const hosts = reachableHosts({ agents: { dev }, setup: [] }, env);
	expect(hosts).toContain("127.0.0.1:8080");
	expect(hosts.join(" ")).not.toMatch(/secret|other/);
});
