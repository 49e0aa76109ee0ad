import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets.ts";
import type { Work } from "./finding.ts";
import { worstTexts } from "./worst-texts.contract.ts";

const LENGTH = 16_000;

/** Characters that rules look at for each character of a text, at most; an ordinary text has fewer than 1. */
const MOST_LOOKS = 60;

function workOn(text: string): Work {
	const work = { characters: 0, windows: 0 };
	findSecrets(text, work);
	return work;
}

const long = new Map(worstTexts(2 * LENGTH));

test.each(worstTexts(LENGTH))(
	"%s: the work is bounded, and twice the text is twice the work",
	(name, text) => {
		const work = workOn(text);
		expect(work.characters).toBeLessThan(MOST_LOOKS * text.length);
		expect(work.windows).toBeLessThan(text.length / 10);
		const twice = workOn(long.get(name) ?? "");
		expect(twice.characters).toBeLessThan(2.2 * work.characters + 40_000);
		expect(twice.windows).toBeLessThan(2.2 * work.windows + 10);
	},
);

test("ordinary text is looked at once by the search for keywords, and hardly again", () => {
	const text = "const total = values.reduce((sum, value) => sum + value, 0); // adds up\n".repeat(
		200,
	);
	expect(workOn(text)).toEqual({ characters: 0, windows: 0 });
});

test("what is a secret by its form comes before what is one by its place, and the inner before the outer", () => {
	const google = `AIza${"Sy1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Qr"}`;
	expect(findSecrets(`password=${google}`)).toMatchObject([{ rule: "google", value: google }]);
	expect(findSecrets("--password=https://me:Zx9cv8bn7m@host")).toMatchObject([
		{ rule: "secret", value: "Zx9cv8bn7m" },
	]);
});
