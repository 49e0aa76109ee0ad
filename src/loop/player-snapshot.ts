import type { Checkout } from "../git/checkout.ts";
import type { Snapshot, SnapshotRequest } from "../git/snapshot.ts";
import { Fault } from "../kernel/fault.ts";

// Whoever removed the checkout while the snapshot was taken removed files before git saw them: nobody may take that
// commit for the player's.
export async function playerSnapshot(
	player: Checkout,
	request: SnapshotRequest,
	worked: string | null,
): Promise<Snapshot> {
	const snapshot = await player.snapshot(request);
	if ((await player.id()) === worked) return snapshot;
	throw new Fault(`the checkout ${player.dir} was removed while its snapshot was taken`, {
		code: "checkout-lost",
		hint: "Continue with `spar resume`: the call that worked there is made again.",
	});
}
