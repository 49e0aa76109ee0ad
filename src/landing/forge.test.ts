import { expect, test } from "vitest";
import { forgeOf, pullRequestUrl } from "./propose-run.ts";

test.each([
	["git@github.com:acme/limiter.git", "github", "github.com", "acme/limiter"],
	["https://github.com/acme/limiter", "github", "github.com", "acme/limiter"],
	["https://user:s3cret@github.com/acme/limiter.git/", "github", "github.com", "acme/limiter"],
	[
		"https://x-access-token:ghs_1@github.acme.example/a/b.git",
		"github",
		"github.acme.example",
		"a/b",
	],
	["ssh://git@ssh.github.com:443/acme/limiter.git", "github", "github.com", "acme/limiter"],
	["git@gitlab.com:group/sub/limiter.git", "gitlab", "gitlab.com", "group/sub/limiter"],
	["https://gitlab.acme.example:8443/a/b.git", "gitlab", "gitlab.acme.example:8443", "a/b"],
	["git@bitbucket.org:acme/limiter.git", "bitbucket", "bitbucket.org", "acme/limiter"],
	["ssh://git@code.example:2222/a/b", null, "code.example", "a/b"],
	["https://github.com.evil.example/a/b", null, "github.com.evil.example", "a/b"],
])("%s is at a forge, without its credentials", (address, kind, host, path) => {
	expect(forgeOf(address)).toEqual({ kind, host, path });
});

test.each([
	"/srv/git/limiter.git",
	"../limiter",
	"file:///srv/limiter.git",
	"work:acme/limiter",
	"C:\\a\\b",
	"https://",
	"https://github.com/acme",
	"",
])("%j is no forge", (address) => {
	expect(forgeOf(address)).toBeNull();
});

test.each([
	[
		"git@github.com:a/b.git",
		"https://github.com/a/b/compare/main...sparring/r1/integration?expand=1",
	],
	[
		"git@gitlab.com:g/s/b.git",
		"https://gitlab.com/g/s/b/-/merge_requests/new?merge_request%5Bsource_branch%5D=sparring%2Fr1%2Fintegration&merge_request%5Btarget_branch%5D=main",
	],
	[
		"git@bitbucket.org:a/b.git",
		"https://bitbucket.org/a/b/pull-requests/new?source=sparring%2Fr1%2Fintegration&dest=main",
	],
	["https://p:w@code.example/a%20b/c?", "https://code.example/a%20b/c"],
])("a person opens a pull request for %s at its page", (address, url) => {
	const forge = forgeOf(address);
	const branches = { base: "main", branch: "sparring/r1/integration" };
	expect(forge === null ? null : pullRequestUrl(forge, branches)).toBe(url);
});
