import type { Project } from "../case.ts";
import { replace, write } from "../tree.ts";

const sums = (input: string, verb: string): string =>
	`printf %b '${input}' | sh bin/stats.sh ${verb}`;

/** A shell program tested by make, scripts behind it, a list of cases and expected outputs. */
export const stats: Project = {
	name: "stats",
	runner: "make",
	needs: ["make"],
	files: {
		Makefile: `include config.mk

.PHONY: test
test:
	@sh $(RUNNER)
`,
		"config.mk": "RUNNER = test/run.sh\n",
		"bin/stats.sh": `#!/bin/sh
# Figures of the numbers on standard input, one a line: stats.sh count|sum|mean|max
. "$(dirname "$0")/../lib/verbs.sh"
verb=$1
case $verb in
count | sum | mean | max) "$verb" ;;
*)
	echo "unknown: $verb" >&2
	exit 2
	;;
esac
`,
		"lib/verbs.sh": `count() { awk 'NF { n += 1 } END { print n + 0 }'; }
sum() { awk 'NF { s += $1 } END { print s + 0 }'; }
mean() { awk 'NF { s += $1; n += 1 } END { if (n == 0) print "none"; else print s / n }'; }
max() { awk 'NF && (n == 0 || $1 + 0 > m) { m = $1 + 0 } NF { n += 1 } END { if (n == 0) print "none"; else print m }'; }
`,
		"test/run.sh": `# Runs every case of test/cases.list and prints TAP.
. test/compare.sh
total=$(grep -c . test/cases.list)
echo "TAP version 13"
echo "1..$total"
number=0
failed=0
while read -r verb input; do
	number=$((number + 1))
	name="$verb of $input"
	if same "$(sh bin/stats.sh "$verb" <"test/data/$input.txt" 2>&1)" "$(cat "test/expected/$verb-$input.txt")"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		failed=1
	fi
done <test/cases.list
exit $failed
`,
		"test/compare.sh": `same() { [ "$1" = "$2" ]; }
`,
		"test/cases.list": "count few\nsum few\nmean few\nmax few\nmean none\nmax below\nwrong few\n",
		"test/data/few.txt": "1\n2\n4\n",
		"test/data/none.txt": "",
		"test/data/below.txt": "-5\n-2\n",
		"test/expected/count-few.txt": "3\n",
		"test/expected/sum-few.txt": "7\n",
		"test/expected/mean-few.txt": "2.33333\n",
		"test/expected/max-few.txt": "4\n",
		"test/expected/mean-none.txt": "none\n",
		"test/expected/max-below.txt": "-2\n",
		"test/expected/wrong-few.txt": "unknown: wrong\n",
	},
	check: { run: "make -s test", report: { format: "tap" } },
	probe: { by: "sh", module: "" },
	keeps: {
		[sums("1\\n2\\n", "mean")]: "1.5\n",
		[sums("", "mean")]: "none\n",
		[sums("-9\\n-3\\n-7\\n", "max")]: "-3\n",
		[sums("2.5\\n\\n1\\n", "sum")]: "3.5\n",
		"sh bin/stats.sh wrong </dev/null 2>&1": "unknown: wrong\n",
	},
	task: {
		description:
			"A verb `median`: the middle number, of an even count the mean of the two in the middle, `none` without numbers.",
		adds: {
			[sums("9\\n1\\n5\\n", "median")]: "5\n",
			[sums("4\\n1\\n10\\n2\\n", "median")]: "3\n",
			[sums("", "median")]: "none\n",
		},
	},
	done: [
		replace("bin/stats.sh", "count | sum | mean | max)", "count | sum | mean | max | median)"),
		replace(
			"lib/verbs.sh",
			"max() {",
			`median() { sort -n | awk 'NF { v[n += 1] = $1 } END { if (n == 0) print "none"; else if (n % 2) print v[(n + 1) / 2]; else print (v[n / 2] + v[n / 2 + 1]) / 2 }'; }
max() {`,
		),
		replace("test/cases.list", "wrong few\n", "wrong few\nmedian few\nmedian none\nmedian below\n"),
		write("test/expected/median-few.txt", "2\n"),
		write("test/expected/median-none.txt", "none\n"),
		write("test/expected/median-below.txt", "-3.5\n"),
	],
	broken: [
		replace("bin/stats.sh", "count | sum | mean | max)", "count | sum | mean | max | median)"),
		replace(
			"lib/verbs.sh",
			"max() {",
			`median() { sort -n | awk 'NF { v[n += 1] = $1 } END { if (n == 0) print "none"; else if (n % 2) print v[(n + 1) / 2]; else print (v[n / 2] + v[n / 2 + 1]) / 2 }'; }
max() {`,
		),
		replace("lib/verbs.sh", "print s / n }'", "print int(s / n) }'"),
	],
	mutants: [
		["print s / n }'", "print int(s / n) }'"],
		["(n == 0 || $1 + 0 > m)", "($1 + 0 > m)"],
		["{ s += $1 } END", "{ s = $1 } END"],
	],
};
