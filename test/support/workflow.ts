/** A pair of the seats `dev` and `coach` as a task's `overlays`. */
export function pair(
	more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
	const paired = { enabled: true, driver_agent: "dev", challenger_agent: "coach", ...more };
	return { paired_workflow: paired };
}

/**
 * The text of a workflow file; JSON is YAML. Keys as in the contract, `version` and `name` are filled in.
 *
 * `workflow({ agents, tasks: { one: { description: "...", overlays: pair() } } })`
 */
export function workflow(content: Readonly<Record<string, unknown>>): string {
	return `${JSON.stringify({ version: 1, name: "test", ...content })}\n`;
}
