import { InvalidArgumentError } from "commander";

const LARGEST = 1_000_000;

export function wholeNumberTo(largest: number): (text: string) => number {
	return (text) => {
		const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
		if (value <= largest) return value;
		throw new InvalidArgumentError(
			`Give a whole number from 1 to ${largest.toLocaleString("en-US")}.`,
		);
	};
}

export const wholeNumber: (text: string) => number = wholeNumberTo(LARGEST);
