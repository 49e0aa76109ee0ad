import type { MutatedPlace } from "../../evidence/report-figures.ts";
import { namesAround, type ProductFile } from "./targets.ts";

/** Operators by how surely an exact test notices them and a vague one does not. */
const ORDER = [
	"arithmetic",
	"negation",
	"equality",
	"number",
	"error",
	"return",
	"boolean",
	"statement",
	"boundary",
	"string",
	"logical",
];

/**
 * A few of many mutants: spread over what they stand in, and there over the operators.
 *
 * @param files those that are mutated
 */
export function someOf<T extends Pick<MutatedPlace, "file" | "line" | "operator">>(
	mutants: readonly T[],
	files: readonly Pick<ProductFile, "path" | "text">[],
	limit: number,
): T[] {
	const around = new Map(files.map(({ path, text }) => [path, namesAround(text)]));
	const placeOf = ({ file, line }: T): string =>
		`${file} ${around.get(file)?.[line - 1]?.[0]?.name ?? ""}`;
	const ranked = mutants
		.map((mutant) => ({ mutant, weight: ORDER.indexOf(mutant.operator) }))
		.sort((a, b) => a.weight - b.weight);
	const counts = new Map<string, number>();
	const count = (key: string): number => {
		const nth = counts.get(key) ?? 0;
		counts.set(key, nth + 1);
		return nth;
	};
	return [...Map.groupBy(ranked, ({ mutant }) => placeOf(mutant))]
		.flatMap(([place, own]) =>
			own
				.map((one) => ({ ...one, again: count(`${place} ${one.mutant.operator}`) }))
				.sort((a, b) => a.again - b.again)
				.map((one, nth) => ({ ...one, nth })),
		)
		.sort((a, b) => a.nth - b.nth || a.weight - b.weight)
		.slice(0, limit)
		.map(({ mutant }) => mutant);
}
