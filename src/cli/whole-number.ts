import { InvalidArgumentError } from "commander";

const LARGEST = 1_000_000;

/** A reader of an option's number: whole, from 1 to `largest`; `"007"`, `"1e3"` and `" 5"` are rejected. */
export function wholeNumberTo(largest: number): (text: string) => number {
	return (text) => {
		const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
		if (value <= largest) return value;
		throw new InvalidArgumentError(
			`Give a whole number from 1 to ${largest.toLocaleString("en-US")}.`,
		);
	};
}

/** Reads an option's number, from 1 to 1,000,000. */
export const wholeNumber: (text: string) => number = wholeNumberTo(LARGEST);
