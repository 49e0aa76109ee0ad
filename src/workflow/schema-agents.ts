import * as z from "zod";
import { count, duration, environment, line, mapping, program, text } from "./schema-values.ts";

/** Call of an agent without `timeout`, in milliseconds: 30 minutes. */
const AGENT_TIMEOUT_MS = 1_800_000;

/** An agent as the file has it, checked; only what a version that runs `command` and `cassette` reads. */
export type AgentFile =
	| { adapter: "command"; run: string[]; env: string[]; timeout: number }
	| { adapter: "cassette"; file: string; env: string[]; timeout: number }
	| { adapter: LaterAdapter };

/** Adapters that the file format knows. */
export type LaterAdapter = "claude" | "codex" | "gemini" | "opencode" | "acp" | "model";

const timeout = duration.default(AGENT_TIMEOUT_MS).meta({
	title: "Timeout",
	description: "Longest duration of one call, such as 90s or 30m. Default: 30m.",
});
const env = environment.default([]).meta({
	title: "Environment",
	description: "Names of environment variables that this agent may see.",
});
const login = z.enum(["user", "key"]).optional().meta({
	title: "Login",
	description: "user (default): the harness's own login; key: a private home and a key from `env`.",
});
const model = line.meta({
	title: "Model",
	description: "The model to use, as the harness or API names it.",
});
const args = z
	.array(text)
	.optional()
	.meta({ title: "Arguments", description: "Further arguments for the harness." });
const run = program.meta({
	title: "Run",
	description: "Program and arguments; it gets the prompt on standard input.",
});
const adapter = <const T extends string>(
	...names: readonly [T, ...T[]]
): z.ZodEnum<z.core.util.ToEnum<T>> =>
	z.enum(names).meta({ title: "Adapter", description: "How Sparring talks to the agent." });

const command = mapping({ adapter: adapter("command"), run, env, timeout, login });
const cassette = mapping({
	adapter: adapter("cassette"),
	file: text.meta({
		title: "File",
		description: "JSON Lines with recorded answers, relative to the workflow file.",
	}),
	env,
	timeout,
	login,
});
const harness = mapping({
	adapter: adapter("claude", "codex", "gemini", "opencode"),
	model: model.optional(),
	args,
	env,
	timeout,
	login,
});
const acp = mapping({ adapter: adapter("acp"), run, model: model.optional(), env, timeout, login });
const api = mapping({ adapter: adapter("model"), model, env, timeout, login });

/** The agents by name. */
export const agentsSchema: z.ZodType<Record<string, AgentFile>> = z
	.record(z.string(), z.discriminatedUnion("adapter", [command, cassette, harness, acp, api]))
	.meta({
		title: "Agents",
		description: "The coding agents and models that can take a seat or a role, by name.",
	});

/** `budget` of the run or of a task. */
export const budgetSchema: z.ZodType<{ usd?: number | undefined; wall?: number | undefined }> =
	mapping({
		usd: z
			.number()
			.gt(0)
			.optional()
			.meta({ title: "Dollars", description: "Most that calls may cost, in US dollars." }),
		wall: duration.optional().meta({
			title: "Wall time",
			description: "Longest time in which a process holds the run, such as 4h.",
		}),
	});

/** `max_parallel`: tasks at once. */
export const maxParallelSchema: z.ZodType<number> = count.default(2).meta({
	title: "Parallel tasks",
	description: "Most tasks that run at once. Default: 2.",
});
