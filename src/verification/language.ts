/** What lines of a language say about the borders of a component. Patterns are for single lines. */
export interface Language {
	/** Files of the language. */
	readonly files: RegExp;
	/** A handler, a subject, a resolver: what others call from outside. */
	readonly api: RegExp;
	/** A call over a border: to another service. */
	readonly remote: RegExp;
	/** The declaration of a type that others can use; the first group is its name. */
	readonly type: RegExp;
	/** What stands in for a table or an entity. */
	readonly stored: RegExp;
	/** An import; the first group that matched is what is imported. */
	readonly imports: RegExp;
}

const SQL = /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|TYPE|VIEW)\b/i;

const SCRIPT: Language = {
	files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
	api: /\b(?:app|router|routes?|server|fastify|api|web)\.(?:get|post|put|patch|delete|head|options|all|use|route|ws)\s*\(|@(?:Get|Post|Put|Patch|Delete|All|Controller|Resolver|Query|Mutation|Subscription|MessagePattern|EventPattern|WebSocketGateway)\b|\bexport\s+(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE)\b|\b(?:createServer|buildSchema|typeDefs|makeExecutableSchema)\b|\bgql`|\.(?:publish|subscribe|request|consume|emit)\(\s*["'`][\w-]+[.:/]/,
	remote:
		/\b(?:fetch|axios(?:\.\w+)?|got(?:\.\w+)?|ky(?:\.\w+)?|request)\(|\bnew\s+\w*Client\(|\bgrpc\.|\bconnect\(\s*["'`]/,
	type: /^\s*export\s+(?:declare\s+)?(?:abstract\s+)?(?:interface|type|enum|const\s+enum|class)\s+([A-Z]\w*)/,
	stored:
		/@(?:Entity|Column|PrimaryGeneratedColumn|Table)\b|\b(?:pgTable|sqliteTable|mysqlTable|createTable|alterTable)\(|\bnew\s+(?:mongoose\.)?Schema\(/,
	imports: /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"']+)["']/,
};

const PYTHON: Language = {
	files: /\.pyi?$/,
	api: /^\s*@\w+(?:\.\w+)*\.(?:get|post|put|patch|delete|route|websocket|api_view|task|subscribe)\b|^\s*@(?:api_view|strawberry|route)\b|\bclass\s+\w+\([^)]*\b(?:APIView|ViewSet|ModelViewSet|Resource|RequestHandler|ObjectType|Servicer)\b|\b(?:re_)?path\(\s*r?["']|\badd_(?:url_rule|api_route|route)\(/,
	remote:
		/\b(?:requests|httpx|aiohttp|session)\.(?:get|post|put|patch|delete|request)\(|\burlopen\(|\bgrpc\.\w*channel\(|\.publish\(\s*["']/,
	type: /^class\s+([A-Z]\w*)\s*(?:\(|:)/,
	stored:
		/\b(?:Column|relationship|mapped_column|ForeignKey|models\.\w+Field)\(|\bop\.(?:create|drop|add|alter)_\w+\(|__tablename__/,
	imports: /^\s*(?:from\s+([.\w]+)\s+import\b|import\s+([.\w]+))/,
};

const GO: Language = {
	files: /\.go$/,
	api: /\.(?:HandleFunc|Handle|GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|Route|Group)\(\s*["`]|\bServeHTTP\(|\b\w*[rR]esolver\)\s+\w+\(|\.(?:Publish|Subscribe|QueueSubscribe|Request)\(|\bRegister\w+Server\(|\bpb\.\w+/,
	remote:
		/\bhttp\.(?:Get|Post|PostForm|NewRequest(?:WithContext)?)\(|\bgrpc\.(?:Dial|NewClient)\w*\(|\bnats\.Connect\(/,
	type: /^type\s+([A-Z]\w*)\s+(?:struct|interface|map|func|\[|\w)/,
	stored: /\b(?:gorm|db|bun|bson):"|\bAutoMigrate\(/,
	imports: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w.-]+(?:\/[\w.-]+)+)"\s*$/,
};

const LANGUAGES: readonly Language[] = [SCRIPT, PYTHON, GO];

/** The language of a file, where its lines can be read; undefined for one of which only the path says something. */
export function languageOf(path: string): Language | undefined {
	return LANGUAGES.find(({ files }) => files.test(path));
}

/** Whether a line changes what is stored, in the words of its language or of SQL. */
export function isStored(language: Language, line: string): boolean {
	return language.stored.test(line) || SQL.test(line);
}
