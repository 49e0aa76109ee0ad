import { expect, test } from "vitest";
import { confinedEnvironment } from "./confined-host.ts";

const nothing = (): boolean => false;

test("caches lie below the call's temporary directory", () => {
	expect(confinedEnvironment({}, "/t", nothing)).toMatchObject({
		TMPDIR: "/t",
		npm_config_cache: "/t/cache/npm",
		PNPM_HOME: "/t/cache/pnpm",
		GOCACHE: "/t/cache/go-build",
	});
});

test("a cache stays where the request has it, if that can be written", () => {
	const env = { GOCACHE: "/co/.cache", PIP_CACHE_DIR: "/home/me/.cache/pip" };
	const set = confinedEnvironment(env, "/t", (path) => path.startsWith("/co/"));
	expect(set["GOCACHE"]).toBeUndefined();
	expect(set["PIP_CACHE_DIR"]).toBe("/t/cache/pip");
});

test("only the loopback is reached without the proxy, and Node asks it too", () => {
	const set = confinedEnvironment({ NO_PROXY: "*" }, "/t", nothing);
	expect(set).toMatchObject({
		NO_PROXY: "localhost,127.0.0.1,::1",
		no_proxy: "localhost,127.0.0.1,::1",
		NODE_USE_ENV_PROXY: "1",
	});
});
