import { findAssignment } from "./find-assignment.ts";
import { findCommandLogin, findEncodedLogin } from "./find-command-login.ts";
import { findCredential, findUrlPassword } from "./find-login.ts";
import type { Finding, Work } from "./finding.ts";
import { TELLING } from "./telling-names.ts";

type FindInText = (text: string, start: number, keyword: string, work: Work) => Finding | null;

/** What finds secrets by their place, and at which keywords, in lower case. */
export const CONTEXT_KEYWORDS: readonly (readonly [keyword: string, find: FindInText])[] = [
	...TELLING.map((keyword) => [keyword, findAssignment] as const),
	["bearer", findCredential],
	["basic", findCredential],
	["://", (text, start, _, work) => findUrlPassword(text, start, work)],
	[" -u", findCommandLogin],
	["--user ", findCommandLogin],
	['auth"', findEncodedLogin],
	['auth\\"', findEncodedLogin],
];
