import { globSync, readFileSync, statSync } from "node:fs";
import { findSecrets } from "../src/masking/find-secrets.ts";
import { SecretMasker } from "../src/masking/secret-masker.ts";
import { worstTexts } from "../src/masking/worst-texts.fixture.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";

const MEGABYTE = 1_000_000;
const ROUNDS = 11;

/** A process of a large project holds about so many. */
const KNOWN_SECRETS = 50;

/** Values as an environment holds them, of 24 to 63 characters. */
function knownSecrets(): { value: string; rule: string }[] {
	return Array.from({ length: KNOWN_SECRETS }, (_, index) => {
		const digits = Buffer.from(String(Math.sin(index + 1)).repeat(2)).toString("base64url");
		return { value: digits.slice(0, 24 + (index % 40)), rule: "env" };
	});
}

/** Milliseconds for a megabyte. */
function timePerMegabyte(length: number, work: () => unknown, rounds: number = ROUNDS): number {
	work();
	const times = Array.from({ length: rounds }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return (median(times) * MEGABYTE) / length;
}

/** This package's source in one text. */
const ordinaryText = (): string =>
	globSync("src/**/*.ts")
		.filter((file) => !/\.(?:test|contract|fixture)\.ts$/.test(file))
		.map((file) => readFileSync(file, "utf8"))
		.join("");

/**
 * Masking with 50 known secrets: this package's source against a copy of it (encoded to UTF-8 and decoded again), and a
 * megabyte of the costliest of the worst texts against the ordinary one. Milliseconds for a megabyte.
 */
export function measureMasking(): Measurement[] {
	const masker = new SecretMasker(knownSecrets());
	const text = ordinaryText();
	const copy = timePerMegabyte(text.length, () => Buffer.from(text).toString("utf8"));
	const ordinary = timePerMegabyte(text.length, () => masker.mask(text));
	const worst = worstTexts(MEGABYTE)
		.map(([name, each]) => ({
			name,
			ms: timePerMegabyte(each.length, () => masker.mask(each), 1),
		}))
		.reduce((most, each) => (each.ms > most.ms ? each : most));
	const speed = (1_000 / ordinary).toFixed(0);
	return [
		{
			name: `masking a megabyte of source (${speed} MB/s), against copying it`,
			...{ value: ordinary, floor: copy, unit: "ms", target: 20 },
		},
		{
			name: `masking a megabyte of the worst text ("${worst.name}"), against source`,
			...{ value: worst.ms, floor: ordinary, unit: "ms", target: 40 },
		},
	];
}

/** What masking does to files that hold no secrets. */
export interface MaskedCorpus {
	readonly files: number;
	readonly megabytes: number;
	/** One line for each masked spot: the file, the rule, and the text around it. */
	readonly spots: readonly string[];
}

const around = (text: string, start: number, end: number): string =>
	JSON.stringify(text.slice(Math.max(0, start - 60), end + 20));

/** Searches the source and texts of all dependencies and of this repository, its tests left out, for what would be masked. */
export function maskCorpus(): MaskedCorpus {
	const own = globSync("{src,test,bench,scripts,docs,examples}/**/*.{js,mjs,ts,md,json,yaml}");
	const files = [...globSync("node_modules/**/*.{js,mjs,cjs,ts,md,json}"), ...own]
		.filter((file) => statSync(file).isFile())
		.filter(
			(file) => file.startsWith("node_modules/") || !/\.(?:test|contract|fixture)\.ts$/.test(file),
		);
	let length = 0;
	const spots: string[] = [];
	for (const file of files) {
		const text = readFileSync(file, "utf8");
		length += text.length;
		for (const { start, end, rule } of findSecrets(text)) {
			spots.push(`${file}: ${rule}: ${around(text, start, end)}`);
		}
	}
	return { files: files.length, megabytes: length / MEGABYTE, spots };
}
