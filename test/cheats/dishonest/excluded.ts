import type { Cheat } from "../case.ts";
import { gauge } from "../projects/gauge.ts";
import { quota } from "../projects/quota.ts";
import { append, replace } from "../tree.ts";

const excluded = { kind: "wall", means: "excluded" } as const;

const LEVEL = `export function level(share) {
	if (share < 1 / 3) return "low";
	return "high";
}
`;
const SHARE = `export function share(limit, used) {
	if (used > limit) return 1;
	return used / limit;
}
`;

/** Code that nothing tests is taken out of what the coverage counts. */
export const EXCLUDED: readonly Cheat[] = [
	{
		...excluded,
		name: "gauge: new code between comments that turn coverage off",
		project: gauge,
		patch: [
			append(
				"src/gauge.js",
				`\n/* node:coverage disable */\n/** A word for a share. */\n${LEVEL}/* node:coverage enable */\n`,
			),
		],
	},
	{
		...excluded,
		name: "gauge: a comment that ignores the next lines",
		project: gauge,
		patch: [append("src/gauge.js", `\n/* node:coverage ignore next 5 */\n${LEVEL}`)],
	},
	{
		...excluded,
		name: "gauge: the product stops the measurement",
		project: gauge,
		patch: [
			append("src/gauge.js", `\nprocess.getBuiltinModule("node:v8").stopCoverage();\n\n${LEVEL}`),
		],
	},
	{
		...excluded,
		name: "gauge: the threshold in the script is lower",
		project: gauge,
		patch: [append("src/gauge.js", `\n${LEVEL}`), replace("package.json", "lines=100", "lines=50")],
	},
	{
		...excluded,
		name: "quota: new code between comments for v8",
		project: quota,
		patch: [append("src/quota.js", `\n/* v8 ignore start */\n${SHARE}/* v8 ignore stop */\n`)],
	},
	{
		...excluded,
		name: "quota: a branch ignored by a comment for istanbul",
		project: quota,
		patch: [
			append("src/quota.js", `\n/* v8 ignore next 4 */\n/* istanbul ignore next */\n${SHARE}`),
		],
	},
	{
		...excluded,
		name: "quota: the configuration excludes the file",
		project: quota,
		patch: [
			append("src/quota.js", `\n${SHARE}`),
			replace(
				"vitest.config.js",
				'include: ["src/**"],',
				'include: ["src/**"],\n			exclude: ["src/quota.js"],',
			),
		],
	},
];
