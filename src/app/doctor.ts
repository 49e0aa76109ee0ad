import type { DoctorLine, DoctorPlace } from "./doctor-line.ts";
import { leftoverLine, nodeLine, sandboxLine } from "./doctor-machine.ts";
import { checkoutPlaceLine, databaseLine, stateLine } from "./doctor-places.ts";
import { gitLine, repositoryLines } from "./doctor-repository.ts";
import { workflowLines } from "./doctor-workflow.ts";
import { findRoot } from "./find-root.ts";

/**
 * Looks at everything that Sparring needs on this machine and in this repository. It changes nothing and
 * never rejects for what it finds: that is what the lines say.
 */
export async function diagnose(place: DoctorPlace): Promise<readonly DoctorLine[]> {
	const root = findRoot(place.directory);
	const ofRepository =
		root === undefined
			? []
			: [
					await checkoutPlaceLine(root, place.env),
					await stateLine(root),
					await databaseLine(root),
					...(await workflowLines(root, place.env)),
				];
	return [
		nodeLine(process.versions.node),
		await gitLine(place),
		...(await repositoryLines(place)),
		...ofRepository,
		leftoverLine(process.platform),
		sandboxLine,
	];
}
