import type { AgentDefinition, Workflow } from "../../workflow/workflow.ts";

const ANTHROPIC = ["api.anthropic.com", "*.anthropic.com", "claude.ai", "*.claude.com"];
const OPENAI = ["api.openai.com", "auth.openai.com", "chatgpt.com"];
const GOOGLE = [
	"generativelanguage.googleapis.com",
	"cloudcode-pa.googleapis.com",
	"oauth2.googleapis.com",
	"accounts.google.com",
	"aiplatform.googleapis.com",
];
const OTHERS = [
	"openrouter.ai",
	"opencode.ai",
	"models.dev",
	"api.githubcopilot.com",
	"api.github.com",
];

/** Hosts of the models behind an adapter; a model by API and a value are called from outside of the sandbox. */
const OF_ADAPTER: Readonly<Record<AgentDefinition["adapter"], readonly string[]>> = {
	command: [...ANTHROPIC, ...OPENAI, ...GOOGLE],
	cassette: [],
	claude: ANTHROPIC,
	codex: OPENAI,
	gemini: GOOGLE,
	opencode: [...ANTHROPIC, ...OPENAI, ...GOOGLE, ...OTHERS],
	acp: [...ANTHROPIC, ...OPENAI, ...GOOGLE, ...OTHERS],
	model: [],
	value: [],
};

/** Where `setup` gets dependencies from. */
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

/** The host of an address, with its port where that is no usual one; nothing for what is no http address. */
function hostOf(value: string | undefined): string[] {
	if (value === undefined || !/^https?:\/\//i.test(value)) return [];
	try {
		const { hostname, port } = new URL(value);
		return [port === "" ? hostname : `${hostname}:${port}`];
	} catch {
		return [];
	}
}

/**
 * The hosts that agents, setups and checks of a workflow may reach from a sandbox: those of its agents' models, the
 * public package registries when it has a `setup`, addresses in the variables that it passes on to agents (such as
 * `ANTHROPIC_BASE_URL`), and its own `allow_hosts`.
 *
 * @returns names as `openSandbox` takes them, each once
 */
export function reachableHosts(
	workflow: Pick<Workflow, "agents" | "setup" | "sandbox">,
	env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
	const agents = Object.values(workflow.agents);
	return [
		...new Set([
			...agents.flatMap(({ adapter }) => OF_ADAPTER[adapter]),
			...agents.flatMap((agent) => agent.env.flatMap((name) => hostOf(env[name]))),
			...(workflow.setup.length > 0 ? REGISTRIES : []),
			...(workflow.sandbox?.allowHosts ?? []),
		]),
	];
}
