import * as z from "zod";
import { aboutBaseUrl, aboutHost, aboutModel, tagJudge } from "./complaints.ts";
import { AGENT_TIMEOUT_MS, HARNESSES } from "./harnesses.ts";
import { MOST_PARALLEL } from "./limits.ts";
import {
	argument,
	count,
	duration,
	environment,
	judged,
	judgedList,
	line,
	mapping,
	program,
	text,
	unlessEmpty,
} from "./schema-values.ts";

const timeout = duration
	.default(AGENT_TIMEOUT_MS)
	.describe("Maximum duration of one call, such as 90s or 30m. Default: 30m.");
const env = environment.default([]).meta({
	title: "Environment",
	description: "Names of environment variables that this agent may see.",
});
const loginTexts = {
	title: "Login",
	description:
		"user (default): the agent's existing sign-in; key: a private home directory and a key from `env`. For coding agents only.",
};
const login = z.enum(["user", "key"]);
const ownSignIn = login
	.optional()
	.transform((way = "user") => way)
	.meta(loginTexts);
const fallback = line.optional().describe("Agent to call when this one is no longer available.");
const maxParallel = count.optional().meta({
	title: "Parallel calls",
	description:
		"Maximum number of calls of this agent at once, over all tasks of a run. Default: no limit.",
});
const requestsPerMinute = count.optional().meta({
	title: "Calls a minute",
	description:
		"Maximum number of calls of this agent that start within any 60 seconds, over all tasks of a run. Default: no limit.",
});
const tags = judgedList(z.array(line), tagJudge)
	.transform(unlessEmpty)
	.optional()
	.describe(
		"What a machine needs to run this agent, such as gpu. Only workers with all tags of a task's agents take the task. Default: none.",
	);
const model = line.describe(
	"The model to use, as the coding agent names it. Default: its own choice.",
);
const args = z
	.array(argument)
	.optional()
	.transform((words = []) => words)
	.meta({
		title: "Arguments",
		description:
			"Additional arguments for the coding agent. They come last, so they override Sparring's.",
	});
const mcp = z
	.record(
		z.string(),
		mapping({
			command: program.describe(
				"Program and arguments; it speaks MCP on its standard input and output.",
			),
			env: environment.default([]).meta({
				title: "Environment",
				description: "Names of environment variables that this server may see.",
			}),
		}),
	)
	.optional()
	.meta({
		title: "MCP servers",
		description:
			"Servers of the Model Context Protocol, by name, that this agent may use as the player. Default: none.",
	});
const run = program.describe("Program and arguments; the prompt arrives on standard input.");
const adapter = <const T extends string>(
	...names: readonly [T, ...T[]]
): z.ZodEnum<z.core.util.ToEnum<T>> => z.enum(names).describe("How Sparring talks to the agent.");

const common = {
	env,
	timeout,
	// Of no effect with these.
	login: login
		.transform(() => undefined)
		.optional()
		.meta(loginTexts),
	fallback,
	max_parallel: maxParallel,
	requests_per_minute: requestsPerMinute,
	tags,
};
const command = mapping({ adapter: adapter("command"), run, ...common });
const cassette = mapping({
	adapter: adapter("cassette"),
	file: text.describe("JSON Lines with recorded answers, relative to the workflow file."),
	...common,
});
const harness = mapping({
	adapter: adapter(...HARNESSES),
	model: model.optional(),
	args,
	mcp,
	...common,
	login: ownSignIn,
});
const acp = mapping({
	adapter: adapter("acp"),
	run: program.describe(
		"Program and arguments; it speaks the Agent Client Protocol on its standard input and output.",
	),
	model: model.optional(),
	...common,
	login: ownSignIn,
});
const api = mapping({
	adapter: adapter("model"),
	model: judged(line, aboutModel).describe(
		"PROVIDER/NAME, where PROVIDER is google, anthropic, openai or openai-compatible, such as google/gemini-flash-latest.",
	),
	base_url: judged(line, aboutBaseUrl).optional().meta({
		title: "Address",
		description:
			"Address of the API, such as http://127.0.0.1:11434/v1; openai-compatible needs one. Default: the provider's own.",
	}),
	...common,
});

/** Keys that some adapters have and others do not, with those that have them. */
export const ADAPTERS_OF_KEY: ReadonlyMap<string, readonly string[]> = new Map<
	string,
	readonly string[]
>([
	["run", ["command", "acp"]],
	["file", ["cassette"]],
	["args", HARNESSES],
	["mcp", HARNESSES],
	["model", [...HARNESSES, "acp", "model"]],
	["base_url", ["model"]],
]);

export const agentSchema = z.discriminatedUnion("adapter", [command, cassette, harness, acp, api]);

export const agentsSchema = z
	.record(z.string(), agentSchema)
	.describe("The coding agents and models that can take a seat or a role, by name.");

const limits = mapping({
	usd: z
		.number()
		.gt(0)
		.optional()
		.meta({ title: "Dollars", description: "Maximum cost of all calls, in US dollars." }),
	wall: duration.optional().meta({
		title: "Wall time",
		description: "Maximum time that a process holds the run, or works on the task, such as 4h.",
	}),
});

/** Most that may be spent, in US dollars and in milliseconds; undefined: no limit. */
export type Budget = z.output<typeof limits>;

export const budgetSchema = limits.transform((budget): Budget | undefined =>
	budget.usd === undefined && budget.wallMs === undefined ? undefined : budget,
);

/** Limits of agents and checks. */
export interface SandboxPolicy {
	/** `auto`: confined where this machine can; `required`: not run where it cannot. */
	readonly mode: "off" | "auto" | "required";
	/** Hosts that they may reach besides those that the agents of the workflow need; `*.` stands for subdomains, and a port may follow. */
	readonly allowHosts: readonly string[];
	/** Lets them make and use Unix sockets inside. */
	readonly unixSockets?: boolean | undefined;
}

const sandboxMode = z.enum(["off", "auto", "required"]);

export const sandboxSchema = z
	.union([
		sandboxMode,
		mapping({
			mode: sandboxMode.describe(
				"auto: confine where this machine supports it; required: run nothing where it does not; off: do not confine.",
			),
			allow_hosts: z.array(judged(line, aboutHost)).default([]).meta({
				title: "Hosts",
				description:
					"Additional hosts that agents, setup and checks may reach, such as registry.example.org, *.example.org or localhost:11434.",
			}),
			unix_sockets: z
				.boolean()
				.default(false)
				.describe(
					"Whether sandboxed programs may create and use Unix sockets, as tsx does. Default: false.",
				),
		}),
	])
	.transform((written): SandboxPolicy => {
		if (typeof written === "string") return { mode: written, allowHosts: [] };
		const { mode, allowHosts, unixSockets } = written;
		return { mode, allowHosts: [...new Set(allowHosts)], unixSockets: unixSockets || undefined };
	});

export const maxParallelSchema = z.int().min(1).max(MOST_PARALLEL).default(2).meta({
	title: "Parallel tasks",
	description: "Maximum number of tasks that run at once, from 1 to 256. Default: 2.",
});
