import { expect, test } from "vitest";
import { silenceTracing } from "./run-context.ts";

test("remote tracing that the user switched on for other programs is off for a run", () => {
	const env = {
		LANGSMITH_TRACING: "true",
		LANGCHAIN_TRACING_V2: "true",
		LANGCHAIN_VERBOSE: "true",
		LANGSMITH_API_KEY: "k",
		PATH: "/bin",
	};
	silenceTracing(env);
	expect(env).toEqual({ LANGSMITH_API_KEY: "k", PATH: "/bin" });
});
