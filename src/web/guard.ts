export interface RequestFacts {
	readonly method: string;
	readonly target: string;
	readonly rawHeaders: readonly string[];
}

export interface GuardPlace {
	readonly host: string;
	readonly maxBytes: number;
	readonly isPageFile: (target: string) => boolean;
	readonly isSession: (cookie: string) => boolean;
}

export interface RefusedRequest {
	readonly status: 400 | 401 | 403 | 405 | 413 | 415 | 421;
	readonly code: string;
	readonly message: string;
	readonly hint: string | null;
}

// It needs no session, because it makes one.
const SESSION_TARGET = "/api/session";

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
	return rawHeaders.flatMap((value, index) =>
		index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name ? [value] : [],
	);
}

const WRONG_HOST: RefusedRequest = {
	status: 421,
	code: "wrong-host",
	message: "this server answers under its own address only",
	hint: "Use the address that `spar ui` printed.",
};

const FOREIGN: RefusedRequest = {
	status: 403,
	code: "forbidden",
	message: "the request does not come from the dashboard's own page",
	hint: null,
};

const NO_SESSION: RefusedRequest = {
	status: 401,
	code: "unauthorized",
	message: "there is no session",
	hint: "Open the address that `spar ui` prints; a new one comes with a new `spar ui`.",
};

const BAD_TARGET: RefusedRequest = {
	status: 400,
	code: "usage",
	message: "the request's target is no path",
	hint: null,
};

const NO_SUCH_METHOD: RefusedRequest = {
	status: 405,
	code: "no-such-method",
	message: "nothing here has this method",
	hint: null,
};

type Check = (facts: RequestFacts, place: GuardPlace) => RefusedRequest | null;

const isRead = ({ method }: RequestFacts): boolean => method === "GET" || method === "HEAD";

const isPageFile = (facts: RequestFacts, place: GuardPlace): boolean =>
	isRead(facts) && place.isPageFile(facts.target);

const checkHost: Check = ({ rawHeaders }, { host }) => {
	const hosts = valuesOf(rawHeaders, "host");
	return hosts.length === 1 && hosts[0] === host ? null : WRONG_HOST;
};

// A backslash counts as a slash in an address, and leads elsewhere.
const checkTarget: Check = ({ target }) => (/^\/[!-[\]-~]*$/.test(target) ? null : BAD_TARGET);

// The script of another page always sends an Origin where something would change; what has none there is no page's.
const checkOrigin: Check = (facts, { host }) => {
	const origins = valuesOf(facts.rawHeaders, "origin");
	if (origins.length === 0) return isRead(facts) ? null : FOREIGN;
	return origins.length === 1 && origins[0] === `http://${host}` ? null : FOREIGN;
};

const checkSite: Check = (facts, place) =>
	!isPageFile(facts, place) && valuesOf(facts.rawHeaders, "sec-fetch-site").some(isForeignSite)
		? FOREIGN
		: null;

const checkMethod: Check = (facts) =>
	isRead(facts) || facts.method === "POST" ? null : NO_SUCH_METHOD;

// No form can send this type.
const checkType: Check = (facts) => {
	const types = valuesOf(facts.rawHeaders, "content-type");
	const isJson = types.length === 1 && JSON_TYPE.test(types[0] ?? "");
	return isRead(facts) || isJson ? null : WRONG_TYPE;
};

const checkLength: Check = ({ rawHeaders }, { maxBytes }) =>
	valuesOf(rawHeaders, "content-length").some((length) => Number(length) > maxBytes)
		? tooLarge(maxBytes)
		: null;

const checkSession: Check = (facts, place) => {
	const isWayIn = facts.method === "POST" && facts.target === SESSION_TARGET;
	if (isWayIn || isPageFile(facts, place)) return null;
	return valuesOf(facts.rawHeaders, "cookie").some(place.isSession) ? null : NO_SESSION;
};

const CHECKS: readonly Check[] = [
	checkHost,
	checkTarget,
	checkOrigin,
	checkSite,
	checkMethod,
	checkType,
	checkLength,
	checkSession,
];

// Decided on what came over the wire, before its address is taken apart, so that no spelling of a path leads around
// it. The first that holds counts; null: the request may be looked at.
export function refusalOf(facts: RequestFacts, place: GuardPlace): RefusedRequest | null {
	for (const check of CHECKS) {
		const refused = check(facts, place);
		if (refused !== null) return refused;
	}
	return null;
}

const isForeignSite = (site: string): boolean => site !== "same-origin" && site !== "none";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i;

const WRONG_TYPE: RefusedRequest = {
	status: 415,
	code: "wrong-content-type",
	message: "the body is not application/json",
	hint: "Send JSON with the header Content-Type: application/json.",
};

export function tooLarge(maxBytes: number): RefusedRequest {
	return {
		status: 413,
		code: "too-large",
		message: `the body is larger than ${maxBytes} bytes`,
		hint: "Send less.",
	};
}
