import { MODEL_HOSTS } from "../agents/harness/harness.ts";
import { assertNever } from "../kernel/assert-never.ts";
import { isHarness, variablesOf } from "../workflow/harnesses.ts";
import type { AgentDefinition, Workflow } from "../workflow/workflow.ts";
import { ALL_HARNESSES, harnessOf } from "./harnesses.ts";

function hostsOf(agent: AgentDefinition): readonly string[] {
	if (isHarness(agent)) return harnessOf(agent.adapter).hosts;
	switch (agent.adapter) {
		case "command":
			return Object.values(MODEL_HOSTS).flat();
		case "acp":
			return ALL_HARNESSES.flatMap(({ hosts }) => hosts);
		case "cassette":
		case "model":
		case "value":
			return [];
		default:
			return assertNever(agent);
	}
}

const REGISTRIES = [
	"registry.npmjs.org",
	"registry.yarnpkg.com",
	"pypi.org",
	"files.pythonhosted.org",
	"proxy.golang.org",
	"sum.golang.org",
	"index.crates.io",
	"static.crates.io",
	"crates.io",
	"rubygems.org",
	"index.rubygems.org",
	"repo.maven.apache.org",
	"repo1.maven.org",
	"github.com",
	"codeload.github.com",
	"objects.githubusercontent.com",
];

// With its port where that is no usual one.
function hostOf(value: string | undefined): string[] {
	if (value === undefined || !/^https?:\/\//i.test(value)) return [];
	const url = URL.parse(value);
	if (url === null) return [];
	return [url.port === "" ? url.hostname : `${url.hostname}:${url.port}`];
}

/**
 * The hosts that agents, setups and checks of a workflow may reach from a sandbox: those of its agents' models, the
 * public package registries when it has a `setup`, addresses in the variables that it passes on to agents (such as
 * `ANTHROPIC_BASE_URL`), and its own `allow_hosts`.
 */
export function reachableHosts(
	workflow: Pick<Workflow, "agents" | "setup" | "sandbox">,
	env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
	const agents = Object.values(workflow.agents);
	return [
		...new Set([
			...agents.flatMap(hostsOf),
			...agents.flatMap(variablesOf).flatMap((name) => hostOf(env[name])),
			...(workflow.setup.length > 0 ? REGISTRIES : []),
			...(workflow.sandbox?.allowHosts ?? []),
		]),
	];
}
