/** Reason why a change can break what lies beyond its own component. */
export type VerificationCause =
	| { readonly kind: "several_packages"; readonly packages: readonly string[] }
	| { readonly kind: "shared_type"; readonly path: string; readonly name: string | null }
	| { readonly kind: "cross_component_call"; readonly path: string; readonly to: string }
	| {
			readonly kind: "api_contract" | "migration" | "shared_configuration" | "unreadable";
			readonly path: string;
	  };

const WORDS: Readonly<Record<Exclude<VerificationCause["kind"], "several_packages">, string>> = {
	api_contract: "it touches an API contract",
	shared_type: "it touches a declaration that others use",
	cross_component_call: "it calls another component",
	migration: "it touches a migration or a stored structure",
	shared_configuration: "it touches configuration, a schema or deployment",
	unreadable: "what it changes cannot be told",
};

const NAMED = 4;

/** A cause as people read it: `it touches a migration or a stored structure: db/001.sql`. */
export function causeText(cause: VerificationCause): string {
	if (cause.kind === "several_packages") {
		const { packages } = cause;
		const more = packages.length > NAMED ? `, and ${packages.length - NAMED} more` : "";
		return `it touches several components: ${packages.slice(0, NAMED).join(", ")}${more}`;
	}
	const words = `${WORDS[cause.kind]}: ${cause.path}`;
	if (cause.kind === "cross_component_call") return `${words} -> ${cause.to}`;
	return cause.kind === "shared_type" && cause.name !== null ? `${words} (${cause.name})` : words;
}

type Kind = Exclude<VerificationCause["kind"], "several_packages" | "unreadable">;
type Signs = readonly (readonly [Kind, RegExp])[];

// The words are those of protocols and of the parts that a component shows to others, and short on purpose: what else
// crosses a boundary is told by the repository itself, by its components and their names.
const API =
	"apis?|routes?|routers?|handlers?|controllers?|resolvers?|endpoints?|web(?:hook|socket)s?|g?rpc|graphql|gql|openapi|swagger|asyncapi|servlets?|servicers?|viewsets?|procedure|publish\\w*|subscri\\w+|nats|kafka|amqp|mqtt|rabbit\\w*|pubsub|producer|topics?|celery";
const REMOTE = "https?|httpx|aiohttp|fetch|axios|requests|reqwest|urlopen|socket|dial";
const STORED =
	"migrations?|alembic|flyway|liquibase|prisma|entity|entities|gorm|bson|sqlalchemy|mongoose|jpa";
const TABLE =
	"(?:create|alter|drop|add|rename|pg|mysql|sqlite) (?:table|column|index|foreign key)|tablename|foreign key|models \\w+ ?\\w* field";

const IN_CODE: Signs = [
	["api_contract", words(`${API}|api view|type defs|mutation|add url rule|create server`)],
	["migration", words(`${STORED}|${TABLE}`)],
	["cross_component_call", words(`${REMOTE}|grpc|new \\w+ client`)],
];

const WRITTEN: Signs = [
	[
		"api_contract",
		/\b(?:GET|POST|PUT|PATCH|DELETE)\b|(?:\(|^|\b(?:get|post|put|patch|delete|path|route|url)\b[^\w"'`]{0,3})\s*["'`]\/(?!(?:tmp|etc|usr|var|dev|proc|bin|home)\b)[\w:{<*[$@-]/,
	],
	[
		"api_contract",
		/\b(?:get|post|put|patch|delete|head|options|all|any|use|path|route)\b\s*\(?\s*["'`](?:\/["'`]|[^"'`]*["'`]\s*\)\s*(?:\{|do\b))/i,
	],
	[
		"api_contract",
		/^\s*(?:@|\[|#\[)[\w.]*?(?:Mapping|Query|Pattern|Listener|Gateway|view|task|All|[Gg]et|[Pp]ost|[Pp]ut|[Pp]atch|[Dd]elete)\b/,
	],
	[
		"api_contract",
		/\b(?:Query|Mutation|Subscription)\b\s*[:={(]|\.(?:emit|on|send|request|consume)\(\s*["'`][\w-]+[.:/]|\b(?:json|xml|protobuf):"|\bpb\.\w+/,
	],
	["migration", /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|TYPE|VIEW)\b/i],
	[
		"migration",
		/@(?:Column|Table|Id|Primary\w+)\b|\b(?:[Cc]olumn|relationship|Schema)\(|\b(?:db|bun):"|\bmodels\.Model\b/,
	],
	["cross_component_call", /["'`]\w+:\/\//],
	["shared_configuration", /\b\w*(?:env|Environment|ENV)\w*\b[^\n]{0,30}?\b[A-Z][A-Z0-9_]+\b/],
];

const TYPE_FILE = "(?:d )?(?:[cm]?tsx?|go|py|rs|java|kt|cs)";

const IN_PATHS: Signs = [
	["migration", words(`${STORED}|migrate|sql|(?:schema|models) (?:py|rb|go|[cm]?[jt]s)`)],
	["api_contract", words(`${API}|subjects?|proto|graphqls|avsc|thrift|idl|urls|views py`)],
	["shared_type", words(`(?:types?|interfaces?|schemas?|protocols?) ${TYPE_FILE}`)],
	["shared_type", words("shared|common|contracts?|dtos?|d [cm]?ts")],
];

const SETTINGS = /(?:^|\/)(?:configs?|conf|settings)[./]/i;

const IN_TEXT: Signs = [
	["api_contract", words(`(?:https?|nats|graphql|api|rest|message|event) \\w+|${API}`)],
	["migration", words(`${STORED}|databases?|schemas?|sql`)],
	[
		"shared_configuration",
		words(
			"config\\w*|env(?:ironment)? var(?:iable)?s?|deploy\\w*|docker\\w*|compose files?|kubernetes|helm|terraform",
		),
	],
	["shared_type", words("(?:shared|common|public) (?:types?|interfaces?|structs?|models?)")],
	[
		"cross_component_call",
		words(
			"(?:between|across|several|multiple|two|both|other|another|cross) (?:\\w+ )?(?:package|module|service|component)s?",
		),
	],
];

function words(alternatives: string): RegExp {
	return new RegExp(`\\b(?:${alternatives})\\b`);
}

const apart = (text: string): string =>
	text
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.replace(/[^A-Za-z0-9]+/g, " ")
		.toLowerCase();

const kindsIn = (table: Signs, text: string): Kind[] =>
	table.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));

export function kindsOfLine(line: string): Kind[] {
	const code = line.replace(/(["'`])(?:(?!\1).)*\s(?:(?!\1).)*\1/g, '""');
	return [...kindsIn(IN_CODE, apart(code)), ...kindsIn(WRITTEN, line)];
}

export function kindOfPath(path: string): Kind | null {
	return SETTINGS.test(path) ? "shared_configuration" : (kindsIn(IN_PATHS, apart(path))[0] ?? null);
}

// `Add HTTP handlers.` gives `api_contract` with `http handlers`
export function causesOfText(text: string): VerificationCause[] {
	// Paths and addresses are no words; paths are looked at by themselves.
	const said = apart(text.replace(/\S*\/\S*|\S+\.(?:mdx?|rst|txt)\b/g, ""));
	return IN_TEXT.flatMap(([kind, pattern]): VerificationCause[] => {
		const found = pattern.exec(said)?.[0];
		if (found === undefined) return [];
		const path = JSON.stringify(found);
		if (kind === "shared_type") return [{ kind, path, name: null }];
		return [
			kind === "cross_component_call" ? { kind, path, to: "another component" } : { kind, path },
		];
	});
}
