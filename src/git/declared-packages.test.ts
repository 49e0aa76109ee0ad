import { expect, test } from "vitest";
import { declaredPackages } from "./declared-packages.ts";
import { openRepository } from "./repository.ts";
import { git, userRepository } from "./scratch.fixture.ts";

test("a package that a manifest needs is declared; the project itself, and what only its code names, is not", async () => {
	const user = userRepository({
		"packages/a/package.json":
			'{\n"name": "limiter",\n"dependencies": {\n"left-pad": "1",\n"@s/b": "2"\n}}',
		"requirements-dev.txt": "Requests[socks]>=2\npad-right\n",
		"pyproject.toml":
			'[project]\nname = "tokens"\ndependencies = ["tokens-extra"]\n[project.scripts]\nrun = "tokens.cli:main"\n',
		"c/pyproject.toml":
			'name = "my-pkg"\nrun = "my_pkg.cli:main"\naddopts = "--cov=my_pkg --cov=other"\nknown-first-party = ["my_pkg"]\ndependencies = ["my-dep>=1"]\n',
		"b/package.json": '{"name":"whole","dependencies":{"chalk":"5"}}',
		"src/a.js": 'import "zod";\n',
	});
	const repository = await openRepository(user);
	const declared = (...names: string[]) =>
		declaredPackages(repository, git(user, "rev-parse", "HEAD"), names);
	expect(await declared("limiter", "left-pad", "@s/b", "requests", "zod", "pad", "b")).toEqual([
		"left-pad",
		"@s/b",
		"requests",
	]);
	expect(await declared("whole", "chalk")).toEqual(["chalk"]);
	expect(await declared("my_pkg", "other", "my_dep")).toEqual(["my_dep"]);
	expect(await declared("tokens", "*", ".")).toEqual([]);
	expect(await declared()).toEqual([]);
});
