import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, type Statement } from "oxc-parser";

/** The weight of a room: production lines, files, and type names (classes, interfaces, aliases). */
export interface Weight {
	readonly lines: number;
	readonly files: number;
	readonly types: number;
}

/** What is committed in `test/budget.json`: a room may not be heavier, and the two lists may not grow. */
export interface Budget {
	readonly rooms: Readonly<Record<string, Weight>>;
	/** Folders of one room that import each other, as `app/machines <-> app/run`. */
	readonly circles: readonly string[];
	/** Type names that are declared more than once. */
	readonly repeated: readonly string[];
}

export const BUDGET_FILE = "test/budget.json";

/** A file of the source: path, and text. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

const declarationOf = (statement: Statement): Statement | null =>
	statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;

const NAMED: ReadonlySet<string> = new Set([
	"TSInterfaceDeclaration",
	"TSTypeAliasDeclaration",
	"ClassDeclaration",
]);

/** Names of the types that a file declares at its top. */
export function typeNames({ path, text }: SourceFile): string[] {
	const { program, errors } = parseSync(path, text);
	if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
	return program.body.flatMap((statement) => {
		const declared = declarationOf(statement);
		return declared !== null &&
			NAMED.has(declared.type) &&
			"id" in declared &&
			declared.id !== null &&
			"name" in declared.id
			? [declared.id.name]
			: [];
	});
}

/** Folders of a room are sub-rooms; files beside them are the room's own. @example `src/app/run/a.ts` is in `app/run` */
const folderOf = (path: string): string => dirname(path).replace(/^src\//, "");

function importedFolders({ path, text }: SourceFile): string[] {
	return [...text.matchAll(/from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map(([, still, lazy]) =>
		folderOf(relative(".", join(dirname(path), still ?? lazy ?? ""))),
	);
}

/** Pairs of folders of one room that import each other, sorted. */
export function folderCircles(files: readonly SourceFile[]): string[] {
	const arrows = new Set(
		files.flatMap((file) => importedFolders(file).map((to) => `${folderOf(file.path)} ${to}`)),
	);
	const found = [...arrows].flatMap((arrow) => {
		const [from = "", to = ""] = arrow.split(" ");
		const isInside = from.split("/")[0] === to.split("/")[0];
		return from < to && isInside && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : [];
	});
	return found.sort();
}

/** The house as it is. */
export function weigh(files: readonly SourceFile[]): Budget {
	const named = files.map((file) => ({ file, names: typeNames(file) }));
	const byRoom = Map.groupBy(named, ({ file }) => file.path.split("/")[1] ?? "");
	const rooms = [...byRoom].map(([room, of]): [string, Weight] => [
		room,
		{
			lines: of.reduce((sum, { file }) => sum + file.text.split("\n").length - 1, 0),
			files: of.length,
			types: of.reduce((sum, { names }) => sum + names.length, 0),
		},
	]);
	const counts = Map.groupBy(
		named.flatMap(({ names }) => names),
		(name) => name,
	);
	return {
		rooms: Object.fromEntries(rooms.sort(([a], [b]) => (a < b ? -1 : 1))),
		circles: folderCircles(files),
		repeated: [...counts].flatMap(([name, all]) => (all.length > 1 ? [name] : [])).sort(),
	};
}

/** Lines that a room may be lighter than its budget before the budget has to follow. */
const SLACK = 200;

/** Where the house and its budget differ, one sentence each. */
export function beyond(budget: Budget, house: Budget): string[] {
	const rooms = Object.entries(house.rooms).flatMap(([room, is]) => {
		const may = budget.rooms[room];
		if (may === undefined) return [`${room} has no budget`];
		const over = (["lines", "files", "types"] as const).filter((unit) => is[unit] > may[unit]);
		if (over.length > 0)
			return over.map((unit) => `${room} has ${is[unit]} ${unit}, not ${may[unit]}`);
		return may.lines - is.lines > SLACK
			? [`${room} is lighter by ${may.lines - is.lines} lines`]
			: [];
	});
	const gone = Object.keys(budget.rooms).filter((room) => house.rooms[room] === undefined);
	const lists = (["circles", "repeated"] as const).flatMap((list) => [
		...house[list].filter((one) => !budget[list].includes(one)).map((one) => `new: ${one}`),
		...budget[list].filter((one) => !house[list].includes(one)).map((one) => `no longer: ${one}`),
	]);
	return [...rooms, ...gone.map((room) => `${room} is gone`), ...lists];
}

/** All production files of the source. */
export function sourceFiles(): SourceFile[] {
	return globSync("src/*/**/*.ts")
		.filter((path) => !/\.(test|contract|fixture)\.ts$/.test(path))
		.map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

/** Reads the committed budget. */
export const readBudget = (): Budget => JSON.parse(readFileSync(BUDGET_FILE, "utf8")) as Budget;
