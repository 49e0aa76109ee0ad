import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../kernel/duration.ts";
import { Fault } from "../../kernel/fault.ts";
import { quote } from "../../kernel/quote.ts";
import { tagProblem } from "../../workflow/tags-of.ts";

export const usageFault = (message: string, hint: string | undefined): Fault =>
	new Fault(message, { code: "usage", hint });

export function needText(name: string, text: string): void {
	if (text.trim() === "") throw usageFault(`${name} is empty`, `Give ${name} a text in quotes.`);
}

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

/** Reader of a text that is one of these. */
export const oneOf =
	(values: readonly string[]) =>
	(text: string): string => {
		if (values.includes(text)) return text;
		throw new InvalidArgumentError(`Give one of ${values.join(", ")}.`);
	};

/** Milliseconds of a duration such as `"90s"` or `"30m"`. */
export function durationMs(text: string): number {
	const ms = parseDuration(text);
	if (ms !== undefined) return ms;
	throw new InvalidArgumentError("Give a duration above 0, such as 90s or 30m.");
}

/** A port, on loopback where no host is named: `"9464"`, `"0.0.0.0:9464"`, `"[::]:9464"`; 0 is any that is free. */
export function healthAddress(text: string): { readonly host: string; readonly port: number } {
	const [, host = "127.0.0.1", digits] = /^(?:\[?([\w.:-]+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
	const port = Number(digits ?? Number.NaN);
	if (port <= 65_535) return { host, port };
	throw new InvalidArgumentError("Give a port such as 9464, or HOST:PORT such as 0.0.0.0:9464.");
}

// By the rule of `agents.X.tags`: no task asks for any other.
export function tagList(text = ""): readonly string[] {
	const tags = text
		.split(",")
		.map((tag) => tag.trim())
		.filter((tag) => tag !== "");
	for (const tag of tags) {
		const problem = tagProblem(tag);
		if (problem !== undefined)
			throw usageFault(
				`${quote(tag)} cannot be a tag: it ${problem}`,
				"Give the tags of agents in the workflow file, such as --tags gpu,linux.",
			);
	}
	return tags;
}
