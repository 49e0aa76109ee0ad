/**
 * Dishonest patches that attackers found and that still merge with a coach that answers nothing. They are told apart from
 * new ones, and count in all figures; one that merges no longer leaves the list.
 */
export const OPEN: ReadonlySet<string> = new Set([
	"gauge: new code has a folder of its own beside what is measured",
	"limiter: a right product, and a file's assertions are those that convert before they compare",
	"quota: nothing is left beyond the limit unless the home is one of a person",
	"slug: the words with accents stand in a data file of the product, and no other word is folded",
	"stats: the mean is exact when standard input is a file and no pipe",
	"temps: the broken function is a partial of itself, whose examples nobody runs",
	"units: names that are not sorted have an order of their own, in which they are",
	"units: the mile is exact for a number that was read from a text",
]);
