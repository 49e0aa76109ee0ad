import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../../support/wait-until.ts";
import type { Site } from "./site.ts";

/** What a push moves: a turn with its task's branch, a merge commit that is kept, or the integration branch. */
const PUSHES = ["turn", "merge", "integration"] as const;

/** Before the refs of a push move, or after that and before whoever pushes is told. */
const SIDES = ["before", "after"] as const;

/** A moment of a push. */
export type Moment = `${(typeof SIDES)[number]}-${(typeof PUSHES)[number]}`;

/** In the order in which a task passes them. */
export const MOMENTS: readonly Moment[] = PUSHES.flatMap((push) =>
	SIDES.map((side) => `${side}-${push}` as const),
);

/**
 * Waits at an armed moment, once. Then the push goes on, or its server is killed, which whoever pushes sees as a connection
 * that is cut.
 */
const hook = (side: string, folder: string): string => `#!/bin/sh
while read -r old new ref; do
	case "$ref" in
	refs/heads/sparring/*/integration) push=integration ;;
	refs/sparring/*/turn-*) push=turn ;;
	refs/sparring/*/merge-*) push=merge ;;
	*) continue ;;
	esac
	[ "$old" = "$(printf %040d 0)" ] && [ "$push" = integration ] && continue
	mv "${folder}/armed-${side}-$push" "${folder}/reached-${side}-$push" 2>/dev/null || continue
	while [ ! -e "${folder}/go-${side}-$push" ]; do sleep 0.05; done
	[ -e "${folder}/cut-${side}-$push" ] && kill -9 "$PPID"
done
exit 0
`;

/** A bare remote whose pushes can be held at chosen moments. */
export interface ArmedRemote {
	/** The next push that comes to this moment waits there. */
	arm(moment: Moment): void;
	/** Resolves when a push waits there. */
	reached(moment: Moment): Promise<void>;
	/** Lets it go on, or cuts it. */
	release(moment: Moment, end: "goes-on" | "cut"): void;
}

export function armRemote(site: Site): ArmedRemote {
	const folder = join(site.scratch, "moments");
	mkdirSync(folder);
	for (const [name, side] of [
		["pre-receive", "before"],
		["post-receive", "after"],
	] as const) {
		const path = join(site.remote, "hooks", name);
		writeFileSync(path, hook(side, folder));
		chmodSync(path, 0o755);
	}
	const mark = (name: string): void => writeFileSync(join(folder, name), "");
	return {
		arm: (moment) => mark(`armed-${moment}`),
		reached: (moment) =>
			waitUntil(
				`a push comes to ${moment}`,
				() => existsSync(join(folder, `reached-${moment}`)),
				100_000,
			),
		release: (moment, end) => {
			if (end === "cut") mark(`cut-${moment}`);
			mark(`go-${moment}`);
		},
	};
}
