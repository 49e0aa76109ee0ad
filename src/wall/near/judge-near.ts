import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { TestCase } from "../../evidence/evidence.ts";
import { jsonIn } from "../../kernel/fields.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";
import { NEAR_WAYS } from "./near-texts.ts";

const noted = z.tuple([
	z.enum(["base", "product"]),
	z.string().max(100),
	z.string().max(1_000),
	z.number(),
	z.string().max(200),
	z.array(z.string().max(300)).max(20).nullable(),
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

function lookedAt(
	cases: readonly Pick<TestCase, "id">[],
	isAsked: (one: Pick<Looked, "file" | "values">) => boolean,
): ReadonlyMap<string, Looked> {
	const found = new Map<string, Looked>();
	for (const { id } of cases) {
		const row = noted.safeParse(jsonIn(Buffer.from(id, "base64url").toString()));
		if (!row.success) continue;
		const [side, values, file, at, title, told] = row.data;
		// Whoever runs in the process can write rows of its own.
		if (!isAsked({ file, values })) continue;
		// A call that began and told nothing took the process with it.
		const results = told ?? ["no end"];
		const key = [values, file, at].join("\n");
		const shown = results.map((result) => result.replaceAll(LONG_FRACTION, rounded));
		found.set(key, { ...(found.get(key) ?? { values, file, at, title }), [side]: shown });
	}
	return found;
}

/** Digits in which another order of the same sum shows. */
const LONG_FRACTION = /(?<!\d)\d{1,20}\.\d{8,40}/g;

const rounded = (number: string): string => String(Number(Number(number).toPrecision(9)));

/**
 * Suspicions about a product that gives what it gave before where values are those of the base's tests, and something else
 * where they are near to these. One that ends a test by another error of the same kind gives the same.
 *
 * @param cases of a run that `nearRun` prepared
 * @param tests the files that it called
 */
export function nearSuspicions(
	cases: readonly Pick<TestCase, "id">[],
	tests: readonly string[],
): Suspicion[] {
	const found = lookedAt(
		cases,
		({ file, values }) => tests.includes(file) && (values === "" || NEAR_WAYS.has(values)),
	);
	const isSame = ({ base, product }: Looked): boolean =>
		base !== undefined && isDeepStrictEqual(base, product);
	const others = [...found.values()].filter((one) => {
		const usual = found.get(["", one.file, one.at].join("\n"));
		const isBoth = one.base !== undefined && one.product !== undefined;
		return usual !== undefined && isSame(usual) && isBoth && !isSame(one);
	});
	// The first one that is found: how far a run gets depends on the machine.
	const firsts = [...Map.groupBy(others, ({ file }) => file).values()].flatMap(
		([one]) => one ?? [],
	);
	return firsts.map((one) => {
		const text = textOf(one);
		return suspicion({ rule: "differs_nearby", file: one.file, line: null, text }, [text]);
	});
}

function textOf({ title, values, base = [], product = [] }: Looked): string {
	const longer = base.length > product.length ? base : product;
	const at = longer.findIndex((_, index) => base[index] !== product[index]);
	const none = "nothing";
	const [was, is] = [base[at] ?? none, product[at] ?? none].map(plain);
	return `${plain(title)}, ${values}:\n- ${was}\n+ ${is}`;
}

/** On one line, since a judge reads it. */
const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
