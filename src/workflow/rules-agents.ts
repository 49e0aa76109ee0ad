import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { FACTS_OF_HARNESS, harnessNamed } from "./harnesses.ts";
import type { Reporter } from "./reporter.ts";
import { suggestion } from "./suggest.ts";

/** Who sells models by API, as `model` names them before the slash. */
export const PROVIDERS: readonly string[] = ["google", "anthropic", "openai", "openai-compatible"];

/**
 * Reports a name that is not an agent's; ignores absent fields and other types.
 *
 * @param hint what to say instead of the names that are known
 */
export function reportAgentName(
	field: Field,
	agents: readonly string[],
	report: Reporter,
	hint?: string,
): void {
	const name = field.text;
	if (name === undefined || agents.includes(name)) return;
	report.error(field, `unknown agent ${quote(name)}`, hint ?? suggestion(name, agents));
}

/** Rules about the keys of one agent: its login, and the model and address of one by API. */
export function reportAgents(agents: Field, report: Reporter): void {
	for (const { field: agent } of agents.entries()) {
		reportLogin(agent, report);
		if (agent.at("adapter").value === "model") reportModel(agent, report);
	}
}

function reportLogin(agent: Field, report: Reporter): void {
	const login = agent.at("login");
	const adapter = agent.at("adapter").text;
	if (login.value !== "key" || adapter === undefined) return;
	const harness = harnessNamed(adapter);
	if (harness === undefined && adapter !== "acp")
		report.error(
			login,
			`login: key is for coding agents, not for adapter ${quote(adapter).slice(1, -1)}`,
			"remove it; `env` lists the variables that the agent may see",
		);
	else if (agent.at("env").items().length === 0)
		report.error(
			login,
			"login: key requires the name of the variable that holds the key",
			`add \`env: [${harness === undefined ? "MY_KEY" : FACTS_OF_HARNESS[harness].key}]\``,
		);
}

function reportModel(agent: Field, report: Reporter): void {
	const model = agent.at("model");
	const address = agent.at("base_url");
	if (address.text !== undefined) reportAddress(address, address.text, report);
	if (model.text === undefined) return;
	const slash = model.text.indexOf("/");
	const provider = model.text.slice(0, Math.max(0, slash));
	if (provider === "" || model.text.slice(slash + 1).trim() === "")
		report.error(
			model,
			`model ${quote(model.text)} must be PROVIDER/NAME`,
			`such as google/gemini-flash-latest; providers: ${PROVIDERS.join(", ")}`,
		);
	else if (!PROVIDERS.includes(provider))
		report.error(model, `unknown provider ${quote(provider)}`, suggestion(provider, PROVIDERS));
	else if (provider === "openai-compatible" && !address.present)
		report.error(
			model,
			"a model of openai-compatible requires base_url",
			"add the address of the API, such as `base_url: http://127.0.0.1:11434/v1`",
		);
}

function reportAddress(field: Field, address: string, report: Reporter): void {
	const url = URL.parse(address);
	if (url === null || !["http:", "https:"].includes(url.protocol))
		report.error(
			field,
			`base_url ${quote(address)} is not an http or https URL`,
			"such as http://127.0.0.1:11434/v1",
		);
	else if (url.username !== "" || url.password !== "")
		report.error(
			field,
			"base_url must not contain a user name or password",
			"name the variable that holds the key in `env`",
		);
}
