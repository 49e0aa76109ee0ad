import type { CoverageFigures } from "../evidence/report-figures.ts";
import type { Measure } from "./metric.ts";
import { shareMeasure } from "./share-measure.ts";

/**
 * `test_coverage`: the share of changed executable lines that the tests ran.
 *
 * @example 9 of 10 changed lines and 0.4 in total give 0.9, `"9 of 10 changed lines are covered; 0.40 in total"`
 */
export function testCoverage(figures: CoverageFigures): Measure {
	const { total } = figures;
	const beside = total === null ? "" : `; ${total.toFixed(2)} in total`;
	const { score, reason } =
		figures.kind === "absent"
			? { score: null, reason: figures.reason }
			: shareMeasure(
					{ part: figures.covered, whole: figures.executable },
					"changed lines are covered",
				);
	return { score, reason: `${reason}${beside}` };
}
