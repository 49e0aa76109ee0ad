import { expect, test } from "vitest";
import { hiddenPlaces } from "./hidden-places.ts";

test("stores of credentials are those of the given home directory", () => {
	const places = hiddenPlaces("/home/me");
	expect(places).toContain("/home/me/.ssh");
	expect(places).not.toContain("/home/me/.npmrc");
	expect(places.every((place) => place.startsWith("/home/me/."))).toBe(true);
});

test("without a home directory nothing is hidden", () => {
	expect(hiddenPlaces(undefined)).toEqual([]);
	expect(hiddenPlaces("")).toEqual([]);
});
