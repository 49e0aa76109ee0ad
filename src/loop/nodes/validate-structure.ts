import { normalize } from "node:path/posix";
import type { Evidence } from "../../evidence/evidence.ts";
import { whoseFault } from "../../evidence/fault-side.ts";
import { checkIntegrity } from "../../evidence/integrity/check-integrity.ts";
import type { AgentCommand } from "../../evidence/integrity/tree-pair.ts";
import {
	changesBetween,
	type FileChange,
	filesAt,
	ignoredBy,
	readFileAt,
	treeOf,
} from "../../git/changes.ts";
import { requiredEvidence } from "../../review/effective-verdict.ts";
import type { Write } from "../../store/records.ts";
import { judgesOf } from "../../workflow/judges-of.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { ENVIRONMENT_RETRIES } from "../assembled-tree.ts";
import { baselineOf } from "../baseline.ts";
import { checkSuite } from "../check-suite.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { halt } from "../halt.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnEvidence } from "../turn-evidence.ts";
import { embeddedOf } from "./player-turn.ts";

/**
 * `validate_structure`: runs every check on the turn's commit in a checkout of its own, and compares what defines
 * the checks with the start commit.
 *
 * Evidence that a killed attempt stored is kept; only what the environment spoilt is run again.
 */
export async function validateStructure(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	if (context.task.formalReview === true) {
		return {
			update: { next: "go" },
			passedThrough: "a formal review changes nothing, so there is nothing to check",
		};
	}
	const tree = await treeOf(context.vault, state.commit);
	const baseline = await baselineOf(context);
	const evidence = await runChecks(context, state, site, { tree, baseline });
	const spoilt = requiredEvidence(evidence).filter(
		(piece) => whoseFault(piece, baseline.get(piece.check)) === "environment",
	);
	const integrity = await compareWithStart(context, state, { tree, baseline, evidence });
	const writes: Write[] = [
		evidenceWrite(context, site.turn, integrity.evidence),
		eventWrite(context, site, "integrity-checked", {
			status: integrity.evidence.status,
			violations: [...integrity.violations],
			notes: [...integrity.notes],
		}),
		taskWrite(context, { phase: "validated" }),
	];
	// A change of what defines the checks goes back to the player first: it may be what spoilt them.
	if (spoilt.length === 0 || integrity.violations.length > 0)
		return { update: { next: "go" }, writes };
	const reasons = spoilt.map(
		({ check, status, reason }) => `${check} is ${status}: ${reason ?? "no reason"}`,
	);
	return {
		update: halt(
			"environment",
			`checks could not say anything, and not through the player's doing: ${reasons.join("; ")}`,
			"validate_structure",
		),
		writes,
	};
}

interface Ground {
	readonly tree: string;
	readonly baseline: ReadonlyMap<string, Evidence>;
}

async function runChecks(
	context: TaskContext,
	state: TaskState,
	site: Site,
	ground: Ground,
): Promise<Evidence[]> {
	const stored = await turnEvidence(context, site.turn);
	const byName = new Map(
		stored.filter(({ tree }) => tree === ground.tree).map((piece) => [piece.check, piece]),
	);
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const checks = context.workflow.checks.filter(({ name }) => {
			const known = byName.get(name);
			return known === undefined || whoseFault(known, ground.baseline.get(name)) === "environment";
		});
		const fresh = await checkSuite(context, site, {
			checkout: context.places.checks,
			name: "checks",
			commit: state.commit,
			tree: ground.tree,
			purpose: "turn",
			checks,
			turn: site.turn,
			attempt: state.items * (ENVIRONMENT_RETRIES + 1) + attempt,
			cold: false,
			baseline: ground.baseline,
		});
		for (const piece of fresh) byName.set(piece.check, piece);
	}
	return [...byName.values()].filter(({ kind }) => kind !== "integrity");
}

async function compareWithStart(
	context: TaskContext,
	state: TaskState,
	ground: Ground & { readonly evidence: readonly Evidence[] },
): Promise<{
	readonly evidence: Evidence;
	readonly violations: readonly string[];
	readonly notes: readonly string[];
}> {
	const startedAt = context.clock.now();
	const { vault, workflow } = context;
	const changes: FileChange[] = await changesBetween(vault, state.start, state.commit);
	const textAt = async (commit: string, path: string): Promise<string | null> =>
		(await readFileAt(vault, commit, path))?.toString("utf8") ?? null;
	const { violations, notes } = await checkIntegrity(
		{
			changes,
			readBase: (path) => textAt(state.start, path),
			readHead: (path) => textAt(state.commit, path),
			countBase: async () => (await filesAt(vault, state.start)).length,
			ignoredByBase: (paths) => ignoredBy(vault, state.start, [...paths]),
			embedded: await embeddedOf(context, state.turn),
		},
		{
			checks: workflow.checks,
			setup: workflow.setup,
			commands: agentCommands(workflow),
			protected: workflow.protected,
			...(workflow.file === undefined ? {} : { workflowFile: workflow.file }),
		},
		{ baseline: [...ground.baseline.values()], now: ground.evidence },
	);
	const evidence: Evidence = {
		check: "integrity",
		kind: "integrity",
		status: violations.length === 0 ? "pass" : "fail",
		reason:
			violations.length === 0
				? null
				: `${violations.length} change(s) of what defines the checks: ${violations[0]}`,
		purpose: "turn",
		tree: ground.tree,
		definition: "integrity",
		exitCode: null,
		counts: null,
		details: [...violations, ...notes.map((note) => `note: ${note}`)],
		cases: null,
		outputPath: null,
		outputTail: "",
		startedAt: new Date(startedAt).toISOString(),
		ms: context.clock.now() - startedAt,
		touched: [],
		started: true,
	};
	return { evidence, violations, notes };
}

/**
 * How the agents are started. A coach or a tie-breaker whose script the player can write would say what the player likes, so the
 * files behind these commands may not be touched, and new ones may not take their place.
 */
function agentCommands(workflow: Workflow): AgentCommand[] {
	const judges = judgesOf(workflow);
	return Object.values(workflow.agents).flatMap((agent) => {
		if (agent.adapter !== "command") return [];
		// What a judge is given by name instructs it; a player is given what it works on. A script in the command
		// itself may name any file.
		const inline = agent.run.some((word) => /^-(?:[a-z]*c|e)$/.test(word));
		const given = judges.has(agent.name) && !inline ? agent.run.slice(1) : [];
		const files = given.map((word) => normalize(word));
		return [{ owner: `agent ${agent.name}`, run: agent.run.join(" "), files }];
	});
}

function evidenceWrite(context: TaskContext, turn: number, evidence: Evidence): Write {
	return {
		kind: "evidence",
		runId: context.run.runId,
		taskId: context.task.id,
		turn,
		attempt: 0,
		evidence,
	};
}
