import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { holdsForGood } from "../checks/baseline-stand.ts";
import type { DefinedCheck, Evidence } from "../evidence/evidence.ts";
import { replaceFile } from "../git/git-directory.ts";
import type { Vault } from "../git/vault.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import type { KeptBases } from "../loop/context.ts";
import { childEnvironment } from "../process/environment.ts";
import type { ProcessHost } from "../process/process.ts";
import { platformOf } from "../setups/kept/platform.ts";
import type { RunContext } from "./drive.ts";
import { toolOf } from "./setups-of.ts";

/** A result this old is made again: programs of the machine change. */
const LONGEST_MS = 14 * 86_400_000;

type Around = Pick<RunContext, "workflow" | "env" | "signal"> & {
	readonly run: Pick<RunContext["run"], "runId">;
	readonly host: Pick<ProcessHost, "confines">;
	readonly vault: Pick<Vault, "copied">;
};

/**
 * The evidence that is kept in a folder, for results under this workflow, on this machine. What is too old goes.
 *
 * @param folder absolute
 */
export async function keptEvidence(folder: string, around: Around): Promise<KeptEvidence> {
	const { workflow, env, host, vault } = around;
	const commands = [...workflow.setup, ...workflow.checks.map((check) => check.run)];
	const tool = toolOf(around);
	const variant = async (): Promise<unknown> => ({
		confined: host.confines ? (await tool(["bwrap", "--version"])).stdout : null,
		sandbox: workflow.sandbox,
		copied: vault.copied?.digest,
		host: hostname(),
		...(await platformOf(commands, childEnvironment(env), tool)),
		// Checks are given more than a setup depends on.
		env: childEnvironment(env),
	});
	let asked: Promise<unknown> | undefined;
	const kept = new KeptEvidence(folder, () => {
		asked ??= variant();
		return asked;
	});
	await removeOld(folder);
	return kept;
}

/** Removes the files of a folder that are too old to be kept. */
export async function removeOld(folder: string): Promise<void> {
	for (const name of await readdir(folder).catch(() => [])) {
		const file = join(folder, name);
		const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
		if (Date.now() - mtimeMs > LONGEST_MS) await rm(file, { force: true }).catch(() => undefined);
	}
}

/**
 * Evidence of bases, kept between runs and checks by tree, check and setup. What cannot be read or written is made again.
 */
export class KeptEvidence implements KeptBases {
	readonly #folder: string;
	readonly #variant: () => Promise<unknown>;

	/** @param variant all else on which a result depends: sandbox, programs, environment; asked once it is needed */
	constructor(folder: string, variant: () => Promise<unknown>) {
		this.#folder = folder;
		this.#variant = variant;
	}

	async find(tree: string, of: DefinedCheck): Promise<Evidence | undefined> {
		try {
			const file = await this.#fileOf(tree, of);
			const { mtimeMs } = await stat(file);
			if (Date.now() - mtimeMs > LONGEST_MS) return undefined;
			const piece: unknown = JSON.parse(await readFile(file, "utf8"));
			return isOf(piece, tree, of) ? piece : undefined;
		} catch {
			return undefined;
		}
	}

	// What is red may be so for want of something that comes back: it is run again.
	async keep(piece: Evidence): Promise<void> {
		if (!holdsForGood(piece) || piece.status !== "pass") return;
		try {
			await mkdir(this.#folder, { recursive: true });
			const file = await this.#fileOf(piece.tree, piece);
			replaceFile(file, JSON.stringify({ ...piece, outputPath: null }));
		} catch {
			// It is made again.
		}
	}

	async #fileOf(tree: string, { check, definition }: DefinedCheck): Promise<string> {
		const variant = await this.#variant();
		const key = sha256(canonicalJson({ tree, check, definition, variant }));
		return join(this.#folder, `${key}.json`);
	}
}

// Otherwise it is as it was written above.
function isOf(
	piece: unknown,
	tree: string,
	{ check, definition }: DefinedCheck,
): piece is Evidence {
	const field = (name: string): unknown => Reflect.get(Object(piece), name);
	return (
		field("tree") === tree &&
		field("check") === check &&
		field("definition") === definition &&
		field("status") === "pass" &&
		(field("cases") === null || Array.isArray(field("cases")))
	);
}
