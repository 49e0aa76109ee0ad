import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { TestCase } from "../../evidence/evidence.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";

const noted = z.tuple([
	z.enum(["base", "product"]),
	z.string(),
	z.string(),
	z.number(),
	z.string(),
	z.array(z.string()),
]);

/** Results of one test on the product as it was and as it is. */
interface Looked {
	readonly values: string;
	readonly file: string;
	readonly at: number;
	readonly title: string;
	readonly base?: readonly string[];
	readonly product?: readonly string[];
}

function readRow(id: string): z.infer<typeof noted> | null {
	try {
		const row = noted.safeParse(JSON.parse(Buffer.from(id, "base64url").toString()));
		return row.success ? row.data : null;
	} catch {
		return null;
	}
}

function lookedAt(cases: readonly Pick<TestCase, "id">[]): ReadonlyMap<string, Looked> {
	const found = new Map<string, Looked>();
	for (const { id } of cases) {
		const row = readRow(id);
		if (row === null) continue;
		const [side, values, file, at, title, results] = row;
		const key = [values, file, at].join("\n");
		const shown = results.map((result) => result.replaceAll(LONG_FRACTION, rounded));
		found.set(key, { ...(found.get(key) ?? { values, file, at, title }), [side]: shown });
	}
	return found;
}

/** Digits in which another order of the same sum shows. */
const LONG_FRACTION = /\d+\.\d{8,}/g;

const rounded = (number: string): string => String(Number(Number(number).toPrecision(9)));

const MAX_SHOWN = 3;

/**
 * Suspicions about a product that gives what it gave before where values are those of the base's tests, and something else
 * where they are near to these. One that ends a test by another error of the same kind gives the same.
 *
 * @param cases of a run that `nearRun` prepared
 */
export function nearSuspicions(cases: readonly Pick<TestCase, "id">[]): Suspicion[] {
	const found = lookedAt(cases);
	const isSame = ({ base, product }: Looked): boolean =>
		base !== undefined && isDeepStrictEqual(base, product);
	const others = [...found.values()].filter((one) => {
		const usual = found.get(["", one.file, one.at].join("\n"));
		const isBoth = one.base !== undefined && one.product !== undefined;
		return usual !== undefined && isSame(usual) && isBoth && !isSame(one);
	});
	return [...Map.groupBy(others, ({ file }) => file)].map(([file, all]) => {
		const first = [...Map.groupBy(all, ({ at }) => at).values()].flatMap(([one]) => one ?? []);
		const shown = first.slice(0, MAX_SHOWN);
		const text = shown.map(textOf).join("\n");
		return suspicion({ kind: "differs_nearby", file, line: null, text }, all.map(textOf));
	});
}

function textOf({ title, values, base = [], product = [] }: Looked): string {
	const longer = base.length > product.length ? base : product;
	const at = longer.findIndex((_, index) => base[index] !== product[index]);
	const none = "nothing";
	return `${title}, ${values}:\n- ${base[at] ?? none}\n+ ${product[at] ?? none}`;
}
