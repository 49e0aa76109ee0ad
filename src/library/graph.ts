import { taskGraph } from "../loop/graph/graph.ts";
import { TASK_NODES } from "../loop/graph/task-nodes.ts";

/** The state machine of one task as Mermaid text: both ways of stopping, with a person and without one. */
export async function mermaid(): Promise<string> {
	const act = () => () => Promise.resolve({});
	const graph = await taskGraph({ nodes: TASK_NODES, act, human: true }).getGraphAsync();
	return graph.drawMermaid({ withStyles: false });
}
