import { type NodeMap, taskGraph } from "../loop/graph.ts";
import { NODES, type NodeName, type Update } from "../loop/state.ts";

/** The state machine of one task as Mermaid text: both ways of stopping, with a person and without one. */
export async function mermaid(): Promise<string> {
	const idle = async (): Promise<Update> => ({});
	// Every name of NODES is a key, so the record is complete.
	const nodes = Object.fromEntries(NODES.map((name) => [name, idle])) as Record<
		NodeName,
		typeof idle
	> as NodeMap;
	const graph = await taskGraph(nodes, { human: true }).getGraphAsync();
	return graph.drawMermaid({ withStyles: false });
}
