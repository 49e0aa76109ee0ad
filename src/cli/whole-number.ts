import { InvalidArgumentError } from "commander";

const LARGEST = 1_000_000;

/** Reads an option's number: whole, from 1 to 1,000,000; `"007"`, `"1e3"` and `" 5"` are rejected. */
export function wholeNumber(text: string): number {
	const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
	if (!(value <= LARGEST)) {
		throw new InvalidArgumentError("Give a whole number from 1 to 1,000,000.");
	}
	return value;
}
