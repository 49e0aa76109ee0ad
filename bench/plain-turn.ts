import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHECK, COACH, makeLoopProject, PLAYER } from "./loop-project.ts";
import { type Environment, withoutGit } from "./scratch.ts";

/** The floor of a turn, on a project of its own. */
export interface PlainScript {
	/** Does the work of one turn, numbered from 1. */
	turn(turn: number): Promise<void>;
	close(): void;
}

const SEATS = ["player", "checks", "coach"] as const;

type Seat = (typeof SEATS)[number];

/** Makes the project and the three checkouts of the plain script below `scratch`. */
export async function openPlainScript(
	scratch: string,
	environment: Environment,
): Promise<PlainScript> {
	const project = join(scratch, "plain");
	makeLoopProject(project, 1, environment);
	const places = join(scratch, "plain-checkouts");
	for (const seat of SEATS) mkdirSync(join(places, seat), { recursive: true });
	const database = new DatabaseSync(join(scratch, "plain.db"));
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
	database.exec("CREATE TABLE turns (turn INTEGER PRIMARY KEY, commit_id TEXT)");
	const insert = database.prepare("INSERT INTO turns VALUES (?, ?)");
	const base = { ...withoutGit(environment), SPAR_REPORT: join(scratch, "plain-report.json") };
	const git = (seat: Seat, args: readonly string[], stdin = ""): Promise<string> =>
		output(["git", ...args], {
			cwd: join(places, seat),
			stdin,
			env: {
				...base,
				GIT_DIR: join(project, ".git"),
				GIT_WORK_TREE: join(places, seat),
				GIT_INDEX_FILE: join(places, `index-${seat}`),
				GIT_AUTHOR_NAME: "Benchmark",
				GIT_AUTHOR_EMAIL: "bench@sparring.invalid",
				GIT_COMMITTER_NAME: "Benchmark",
				GIT_COMMITTER_EMAIL: "bench@sparring.invalid",
			},
		});
	const shell = async (seat: Seat, script: string, turn: number): Promise<void> => {
		const env = { ...base, SPAR_TURN: String(turn) };
		await output(["sh", "-c", script], { cwd: join(places, seat), stdin: "", env });
	};
	const update = async (seat: Seat, commit: string): Promise<void> => {
		await git(seat, ["read-tree", "--reset", "-u", commit]);
		await git(seat, ["clean", "-ffdq"]);
	};
	let tip = await git("player", ["rev-parse", "HEAD"]);
	return {
		turn: async (turn) => {
			await update("player", tip);
			await shell("player", PLAYER, turn);
			await git("player", ["add", "--all"]);
			const tree = await git("player", ["write-tree"]);
			tip = await git("player", ["commit-tree", tree, "-p", tip], `turn ${turn}\n`);
			const refs = `update refs/heads/plain ${tip}\ncreate refs/plain/turn-${turn} ${tip}\n`;
			await git("player", ["update-ref", "--stdin"], refs);
			await update("checks", tip);
			await shell("checks", CHECK, turn);
			await update("coach", tip);
			await shell("coach", COACH, turn);
			insert.run(turn, tip);
		},
		close: () => {
			database.close();
		},
	};
}

interface Place {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stdin: string;
}

/** What a program prints, without the last line end. */
function output(command: readonly [string, ...string[]], place: Place): Promise<string> {
	const [program, ...args] = command;
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { cwd: place.cwd, env: { ...place.env } });
		let text = "";
		child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
			text += chunk;
		});
		child.stdin.on("error", () => undefined);
		child.on("error", reject);
		child.on("close", (code) => {
			if (code === 0) resolve(text.trimEnd());
			else reject(new Error(`${command.join(" ")} ended with exit code ${code}`));
		});
		child.stdin.end(place.stdin);
	});
}
