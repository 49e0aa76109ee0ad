/** What the player of this example knows: for each task the source, and a test for its criterion. */
export interface Work {
	readonly criterion: string;
	readonly source: string;
	readonly test: string;
}

const test = (name: string, imports: string, body: string): string =>
	`import assert from "node:assert/strict";
import { test } from "node:test";
import { floor } from "../src/floor.js";
${imports}

test("${name}", () => {
	${body}
});
`;

export const WORK: Readonly<Record<string, Work>> = {
	area: {
		criterion: "multiplies the two sides",
		source: "export const area = ({ width, length }) => width * length;\n",
		test: test(
			"multiplies the two sides",
			'import { area } from "../src/area.js";',
			"assert.equal(area(floor(2, 3)), 6);",
		),
	},
	edge: {
		criterion: "adds all four sides",
		source: "export const edge = ({ width, length }) => 2 * (width + length);\n",
		test: test(
			"adds all four sides",
			'import { edge } from "../src/edge.js";',
			"assert.equal(edge(floor(2, 3)), 10);",
		),
	},
	price: {
		criterion: "charges for tiles and for the edge",
		source: `import { area } from "./area.js";
import { edge } from "./edge.js";

export const price = (floor) => 30 * area(floor) + 5 * edge(floor);
`,
		test: test(
			"charges for tiles and for the edge",
			'import { price } from "../src/price.js";',
			"assert.equal(price(floor(2, 3)), 230);",
		),
	},
};
