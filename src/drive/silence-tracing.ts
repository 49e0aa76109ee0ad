const SWITCHES = [
	"LANGSMITH_TRACING",
	"LANGSMITH_TRACING_V2",
	"LANGCHAIN_TRACING",
	"LANGCHAIN_TRACING_V2",
	// This one prints it on standard output, in the middle of what `--json` prints.
	"LANGCHAIN_VERBOSE",
];

/**
 * Switches remote tracing of LangGraph off for this process, whatever the user set for other programs: a run's
 * code must not leave the machine. The variables reach no child in any case.
 *
 * @param env the process's own environment; changed in place
 */
export function silenceTracing(env: Record<string, string | undefined>): void {
	for (const name of SWITCHES) delete env[name];
}
