import { expect, test } from "vitest";
import {
	NODE_HEIGHT,
	NODE_WIDTH,
	STATE_NODES,
	STATE_RAILS,
} from "../dashboard/graph/state-layout.ts";
import { mermaid } from "../src/library/graph.ts";

const drawn = STATE_RAILS.flatMap(({ from, to }) =>
	from.flatMap((start) => to.map((end) => `${start} -> ${end}`)),
);

test("the page draws the graph that `spar graph` prints, edge for edge", async () => {
	const printed = [
		...(await mermaid()).matchAll(/^\s*(\w+) -\.?-> ?(\w+);$|^\s*(\w+) -\.-> (\w+);$/gm),
	].map(([, from, to, dashedFrom, dashedTo]) => `${from ?? dashedFrom} -> ${to ?? dashedTo}`);
	expect(printed.length).toBeGreaterThan(40);
	expect(drawn.sort()).toEqual(printed.sort());
});

test("no edge is drawn twice, and every end of one is a node", () => {
	expect(new Set(drawn).size).toBe(drawn.length);
	const known = new Set(["__start__", "__end__", ...STATE_NODES.map(({ name }) => name)]);
	expect(drawn.flatMap((edge) => edge.split(" -> ")).filter((end) => !known.has(end))).toEqual([]);
});

test("no two nodes overlap", () => {
	const overlaps = STATE_NODES.flatMap((one, index) =>
		STATE_NODES.slice(index + 1).filter(
			(other) => Math.abs(one.x - other.x) < NODE_WIDTH && Math.abs(one.y - other.y) < NODE_HEIGHT,
		),
	);
	expect(overlaps).toEqual([]);
});
