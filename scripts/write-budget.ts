// Writes the weight of the source down as its budget: `npm run budget`. A room that became heavier is refused, unless
// `--raise` says that it may: the commit says why.
import { writeFileSync } from "node:fs";
import { BUDGET_FILE, beyond, readBudget, sourceFiles, weigh } from "../test/budget.ts";

const house = weigh(sourceFiles());
const heavier = beyond(readBudget(), house).filter((line) => / has |^new: /.test(line));
if (heavier.length > 0 && !process.argv.includes("--raise")) {
	process.stderr.write(
		`${heavier.join("\n")}\nTake something out, or: npm run budget -- --raise\n`,
	);
	process.exitCode = 1;
} else {
	writeFileSync(BUDGET_FILE, `${JSON.stringify(house, null, "\t")}\n`);
}
