import { expect, test } from "vitest";
import { loopbackPorts, proxyHosts } from "./allowed-hosts.ts";

test("a port of our own loopback is known by name and by number, once", () => {
	const hosts = ["localhost:1234", "127.0.0.1:1234", "LOCALHOST:80", "api.example:443"];
	expect(loopbackPorts(hosts)).toEqual([1234, 80]);
});

test("the loopback without a port, with one that is none, or as part of a name is not", () => {
	const hosts = [
		"localhost",
		"127.0.0.1",
		"localhost:0",
		"localhost:99999",
		"localhost.example:80",
	];
	expect(loopbackPorts(hosts)).toEqual([]);
});

test("the proxy is told the loopback by number, and all others as they are", () => {
	expect(proxyHosts(["*.example.com", "localhost:5", "api.example:443"])).toEqual([
		"*.example.com",
		"api.example:443",
		"127.0.0.1:5",
	]);
});
