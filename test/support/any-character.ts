import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, half of them ASCII, as the unit of a text: `fc.string({ unit: anyCharacter })`.
 *
 * The library's own unit for this keeps a table of all characters: a second, and 100 MB, in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
	.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0x10ffff - SURROGATES.count }))
	.map((index) =>
		String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
	);
