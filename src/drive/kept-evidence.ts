import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { holdsForGood } from "../checks/baseline-stand.ts";
import type { DefinedCheck, Evidence } from "../evidence/evidence.ts";
import { replaceFile } from "../git/git-directory.ts";
import type { Vault } from "../git/vault.ts";
import type { KeptBases } from "../judge/ports.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { childEnvironment } from "../process/environment.ts";
import type { ProcessHost } from "../process/process.ts";
import { platformOf } from "../setups/kept/platform.ts";
import type { RunContext } from "./drive.ts";
import { toolOf } from "./setups-of.ts";

/** A result this old is made again: programs of the machine change. */
const LONGEST_MS = 14 * 86_400_000;

/** Time for which red where the user works is believed: a database that runs is seen in no digest. */
const LONGEST_RED_MS = 86_400_000;

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
		env: childEnvironment(env, workflow.env),
	});
	let asked: Promise<string> | undefined;
	const kept = new KeptEvidence(folder, () => {
		asked ??= variant().then((all) => sha256(canonicalJson(all)));
		return asked;
	});
	await removeOld(folder);
	return kept;
}

// A clock that was set back must not keep it for longer.
const isOld = (mtimeMs: number, longest = LONGEST_MS): boolean =>
	Math.abs(Date.now() - mtimeMs) > longest;

/** Removes the files of a folder that are too old to be kept. */
export async function removeOld(folder: string): Promise<void> {
	for (const name of await readdir(folder).catch(() => [])) {
		const file = join(folder, name);
		const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
		if (isOld(mtimeMs)) await rm(file, { force: true }).catch(() => undefined);
	}
}

/**
 * Evidence of bases, kept between runs and checks by tree, check and setup. What cannot be read or written is made again.
 */
export class KeptEvidence implements KeptBases {
	readonly #folder: string;
	readonly variant: () => Promise<string>;

	/** @param variant asked once it is needed */
	constructor(folder: string, variant: () => Promise<string>) {
		this.#folder = folder;
		this.variant = variant;
	}

	async find(tree: string, of: DefinedCheck): Promise<Evidence | undefined> {
		try {
			const file = this.#fileOf(tree, of);
			const { mtimeMs } = await stat(file);
			if (isOld(mtimeMs)) return undefined;
			const piece: unknown = JSON.parse(await readFile(file, "utf8"));
			return isEvidenceOf(piece, tree, of) ? piece : undefined;
		} catch {
			return undefined;
		}
	}

	// What is red may be so for want of something that comes back: it is run again.
	async keep(piece: Evidence): Promise<void> {
		if (!holdsForGood(piece) || piece.status !== "pass") return;
		try {
			await mkdir(this.#folder, { recursive: true });
			const file = this.#fileOf(piece.tree, piece);
			replaceFile(file, JSON.stringify({ ...piece, outputPath: null }));
		} catch {
			// It is made again.
		}
	}

	async isRedThere(what: unknown): Promise<boolean> {
		const file = await stat(this.#redFile(what)).catch(() => null);
		return file !== null && !isOld(file.mtimeMs, LONGEST_RED_MS);
	}

	async keepRedThere(what: unknown): Promise<void> {
		try {
			await mkdir(this.#folder, { recursive: true });
			replaceFile(this.#redFile(what), "");
		} catch {
			// It is found again.
		}
	}

	#redFile(what: unknown): string {
		return join(this.#folder, `${sha256(canonicalJson({ format: FORMAT, what }))}.red`);
	}

	#fileOf(tree: string, { check, definition }: DefinedCheck): string {
		const key = sha256(canonicalJson({ format: FORMAT, tree, check, definition }));
		return join(this.#folder, `${key}.json`);
	}
}

/** Changed with what is written. */
const FORMAT = 2;

const kept = z.looseObject({
	tree: z.string(),
	check: z.string(),
	definition: z.string(),
	status: z.literal("pass"),
	reason: z.string().nullable(),
	counts: z.looseObject({ passed: z.number(), total: z.number() }).nullable(),
	details: z.array(z.string()),
	cases: z.array(z.looseObject({ id: z.string(), status: z.string() })).nullable(),
	outputTail: z.string(),
	startedAt: z.string(),
	ms: z.number(),
	touched: z.array(z.string()),
});

function isEvidenceOf(
	piece: unknown,
	tree: string,
	{ check, definition }: DefinedCheck,
): piece is Evidence {
	const { success, data } = kept.safeParse(piece);
	return success && data.tree === tree && data.check === check && data.definition === definition;
}
