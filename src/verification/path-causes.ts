import type { VerificationCause } from "./cause.ts";
import { componentOf, isProductCode } from "./component.ts";

/** Between the words of a path: `user-routes.ts` has `routes`, `myroutes.ts` has not. */
const word = (words: string): RegExp => new RegExp(`(?:^|[/._-])(?:${words})(?:[/._-]|$)`, "i");

/** A word of a name in camel case, as in `UserController.java`. */
const camel = (words: string): RegExp => new RegExp(`[a-z0-9](?:${words})\\.[a-z]+$`);

const API: readonly RegExp[] = [
	word(
		"api|apis|route|routes|routers?|handlers?|controllers?|resolvers?|endpoints?|subjects?|rpc|grpc|graphql|openapi|swagger|asyncapi",
	),
	camel("Controller|Handler|Resolver|Endpoint|Router|Routes|Api|API"),
	/\.(?:proto|graphqls?|gql|avsc|thrift)$/i,
	/(?:^|\/)(?:urls|views|viewsets)\.py$/,
];

const STORED: readonly RegExp[] = [
	word("migrations?|migrate|alembic|flyway|liquibase|entity|entities|prisma"),
	camel("Entity|Migration"),
	/\.(?:sql|prisma)$/i,
	/(?:^|\/)(?:models|schema)\.(?:py|rb|go|[cm]?[jt]s)$/,
];

const TYPES: readonly RegExp[] = [
	/(?:^|\/)(?:types?|contracts?|interfaces?|dtos?|schemas?|protocols?)\.(?:d\.)?(?:[cm]?tsx?|go|py|rs|java|kt|cs)$/i,
	word("shared|common|contracts|dtos?"),
	/\.d\.[cm]?ts$/,
];

const CONFIGURED =
	/(?:^|\/)(?:configs?|conf|settings)\/[^/]+\.(?:json[5c]?|ya?ml|toml|ini|conf|properties|env|[cm]?[jt]s|py|go)$|(?:^|\/)(?:appsettings[^/]*\.json|application[^/]*\.(?:ya?ml|properties)|config\.(?:json[5c]?|ya?ml|toml|[cm]?[jt]s|py|go)|settings\.(?:py|json|ya?ml|toml)|\.env(?:\.[\w-]+)?)$/i;

/** Text for people; it breaks no component. */
const PROSE = /\.(?:md|mdx|rst|adoc|txt)$/i;
/** What installs and formats; the tamper wall and the checks look after it. */
const TOOLS = /(?:^|\/)(?:node_modules|vendor|dist|\.github|docs?)\//;

/** Whether one of the patterns is in a path. */
const matches = (patterns: readonly RegExp[], path: string): boolean =>
	patterns.some((pattern) => pattern.test(path));

/** What the name of one file says. */
function causesOfPath(path: string): VerificationCause[] {
	if (PROSE.test(path) || TOOLS.test(path)) return [];
	if (matches(STORED, path)) return [{ kind: "migration", path }];
	if (CONFIGURED.test(path)) return [{ kind: "shared_configuration", path }];
	// A pattern of an interface is about code and descriptions of it; a directory may be named by a task as well.
	const isSource =
		isProductCode(path) || !/\.[a-z0-9]{1,6}$/i.test(path) || /\.(?:ya?ml|json)$/i.test(path);
	if (matches(API.slice(0, 1), path) && isSource) return [{ kind: "api_contract", path }];
	if (matches(API.slice(1), path)) return [{ kind: "api_contract", path }];
	return matches(TYPES, path) && isSource ? [{ kind: "shared_type", path, name: null }] : [];
}

/**
 * What the paths alone say about a change, in any language: at most one cause for each path, and one for all packages
 * together. Tests and texts for people say nothing.
 *
 * @param manifests directories that hold a manifest
 * @example `["processor/planner/run.go", "processor/generator/run.go"]` gives one cause, `several_packages`
 */
export function causesOfPaths(
	paths: readonly string[],
	manifests: ReadonlySet<string> = new Set(),
): VerificationCause[] {
	const code = paths.filter(isProductCode);
	const packages = [...new Set(code.map((path) => componentOf(path, manifests)))].sort();
	const several: VerificationCause[] =
		packages.length > 1 ? [{ kind: "several_packages", packages }] : [];
	return [...several, ...paths.filter((path) => !isTest(path)).flatMap(causesOfPath)];
}

/** The same for the files of a real change: one that is gone makes no package a second one. */
export function causesOfChanged(
	changes: readonly { readonly path: string; readonly isGone: boolean }[],
	manifests: ReadonlySet<string> = new Set(),
): VerificationCause[] {
	const pathsOf = (isGone: boolean): string[] =>
		changes.filter((change) => change.isGone === isGone).map(({ path }) => path);
	const gone = pathsOf(true).flatMap((path) => causesOfPaths([path], manifests));
	return [...causesOfPaths(pathsOf(false), manifests), ...gone];
}

/** A test by its name or place, which a code file is that is no product. */
const isTest = (path: string): boolean =>
	/(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata)\//i.test(path) ||
	(!isProductCode(path) &&
		isProductCode(path.replace(/[._-](?:test|spec|tests|specs)(?=\.)/i, "")));
