import { expect, test } from "vitest";
import { type GuardPlace, type RequestFacts, refusalOf } from "./guard.ts";

const HOST = "127.0.0.1:7700";
const ORIGIN = `http://${HOST}`;

const place: GuardPlace = {
	host: HOST,
	maxBytes: 100,
	isPageFile: (target) => target === "/" || target === "/main.js",
	isSession: (cookie) => cookie === "spar-7700=key",
};

type Headers = readonly (readonly [name: string, value: string])[];

const OWN: Headers = [["Host", HOST]];
const SESSION: Headers = [...OWN, ["Cookie", "spar-7700=key"]];
const JSON_BODY: Headers = [...SESSION, ["Origin", ORIGIN], ["Content-Type", "application/json"]];

const facts = (method: string, target: string, headers: Headers): RequestFacts => ({
	method,
	target,
	rawHeaders: headers.flat(),
});

const status = (method: string, target: string, headers: Headers): number | null =>
	refusalOf(facts(method, target, headers), place)?.status ?? null;

const without = (name: string, headers: Headers): Headers =>
	headers.filter(([each]) => each !== name);

const withOther = (name: string, value: string, headers: Headers): Headers => [
	...without(name, headers),
	[name, value],
];

test("what belongs to the page and its session passes", () => {
	expect(status("GET", "/", OWN)).toBeNull();
	expect(status("HEAD", "/main.js", OWN)).toBeNull();
	expect(status("GET", "/api/inbox", SESSION)).toBeNull();
	expect(status("POST", "/api/items/h1/answer", JSON_BODY)).toBeNull();
	expect(status("POST", "/api/session", without("Cookie", JSON_BODY))).toBeNull();
});

test.each([
	["localhost:7700"],
	["127.0.0.1"],
	["127.0.0.1:7701"],
	["evil.example"],
	["evil.example:7700"],
	["127.0.0.1:7700.evil.example"],
	["[::1]:7700"],
	["127.1:7700"],
	[""],
])("Host %j is another server's, whatever is asked for", (host) => {
	expect(status("GET", "/", withOther("Host", host, OWN))).toBe(421);
	expect(status("GET", "/api/inbox", withOther("Host", host, SESSION))).toBe(421);
	expect(status("POST", "/api/session", withOther("Host", host, JSON_BODY))).toBe(421);
});

test("no Host, and two of them, are refused", () => {
	expect(status("GET", "/", [])).toBe(421);
	expect(status("GET", "/", [...OWN, ["host", HOST]])).toBe(421);
});

test("a target that is no path is refused", () => {
	expect(status("GET", `http://${HOST}/api/inbox`, SESSION)).toBe(400);
	expect(status("OPTIONS", "*", JSON_BODY)).toBe(400);
	for (const target of ["/\\x", "/a b", "/\u00e9", "/\u0001", ""])
		expect([target, status("GET", target, SESSION)]).toEqual([target, 400]);
	expect(status("GET", "/api/runs/a%20b?x=[1]", SESSION)).toBeNull();
});

test.each([
	["null"],
	["http://localhost:7700"],
	["https://127.0.0.1:7700"],
	["http://127.0.0.1:7701"],
	["http://evil.example"],
	["http://127.0.0.1:7700.evil.example"],
	[""],
])("Origin %j is foreign, for reading too", (origin) => {
	expect(status("POST", "/api/items/h1/answer", withOther("Origin", origin, JSON_BODY))).toBe(403);
	expect(status("GET", "/api/inbox", withOther("Origin", origin, SESSION))).toBe(403);
	expect(status("GET", "/", withOther("Origin", origin, OWN))).toBe(403);
});

test("what would change something needs an Origin, and one alone", () => {
	expect(status("POST", "/api/items/h1/answer", without("Origin", JSON_BODY))).toBe(403);
	expect(status("DELETE", "/api/items/h1", SESSION)).toBe(403);
	expect(status("POST", "/api/session", [...JSON_BODY, ["Origin", ORIGIN]])).toBe(403);
	expect(status("GET", "/api/inbox", [...SESSION, ["Origin", ORIGIN]])).toBeNull();
});

test("a browser that says another page asks is refused the data, not the page", () => {
	for (const site of ["cross-site", "same-site"]) {
		expect(status("GET", "/api/inbox", [...SESSION, ["Sec-Fetch-Site", site]])).toBe(403);
		expect(status("GET", "/", [...OWN, ["Sec-Fetch-Site", site]])).toBeNull();
	}
	for (const site of ["same-origin", "none"])
		expect(status("GET", "/api/inbox", [...SESSION, ["Sec-Fetch-Site", site]])).toBeNull();
});

test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get"])(
	"%s is no method here",
	(method) => {
		expect(status(method, "/api/inbox", JSON_BODY)).toBe(405);
	},
);

test.each([
	["text/plain"],
	["application/x-www-form-urlencoded"],
	["multipart/form-data"],
	["application/json; charset=latin1"],
	["application/jsonp"],
	["text/json"],
	[""],
])("a body of type %j is refused", (type) => {
	const headers = withOther("Content-Type", type, JSON_BODY);
	expect(status("POST", "/api/items/h1/answer", headers)).toBe(415);
});

test("a body without a type, and with two, is refused; JSON in UTF-8 passes", () => {
	const post = (headers: Headers) => status("POST", "/api/items/h1/answer", headers);
	expect(post(without("Content-Type", JSON_BODY))).toBe(415);
	expect(post([...JSON_BODY, ["content-type", "text/plain"]])).toBe(415);
	expect(post(withOther("Content-Type", "Application/JSON; charset=UTF-8", JSON_BODY))).toBeNull();
});

test("a body that says of itself that it is too large is refused", () => {
	const post = (length: string) =>
		status("POST", "/api/items/h1/answer", [...JSON_BODY, ["Content-Length", length]]);
	expect(post("101")).toBe(413);
	expect(post("100")).toBeNull();
});

test("without the cookie there are only the page's files and the way in", () => {
	expect(status("GET", "/api/inbox", OWN)).toBe(401);
	expect(status("GET", "/api/session", OWN)).toBe(401);
	expect(status("GET", "/api/stream", OWN)).toBe(401);
	expect(status("GET", "/nothing", OWN)).toBe(401);
	expect(status("GET", "//api/inbox", OWN)).toBe(401);
	expect(status("GET", "/%61pi/inbox", OWN)).toBe(401);
	expect(status("POST", "/api/session?x", without("Cookie", JSON_BODY))).toBe(401);
	expect(status("GET", "/api/inbox", [...OWN, ["Cookie", "spar-7700=other"]])).toBe(401);
	expect(status("POST", "/", without("Cookie", JSON_BODY))).toBe(401);
});
