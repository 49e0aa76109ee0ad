import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CasesReply } from "../../src/web/protocol.ts";
import { api, get, type Refusal } from "../net/api.ts";
import { Badge } from "../parts/badge.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { Words } from "../parts/words.tsx";
import { VirtualRows } from "../rows/virtual-rows.tsx";

type Case = CasesReply["cases"][number];

interface CasesOfProps {
	readonly place: { readonly run: string; readonly task: string };
	readonly turn: number;
	readonly check: string;
	readonly purpose: string;
}

const inOrder = (cases: readonly Case[]): readonly Case[] =>
	cases.toSorted(
		(one, other) => Number(other.status === "failed") - Number(one.status === "failed"),
	);

function CaseList({ cases }: { readonly cases: readonly Case[] }): JSX.Element {
	const [chosen, setChosen] = useState<Case | null>(null);
	return (
		<>
			<VirtualRows
				label="Test cases"
				kind="list"
				of={cases}
				rowHeight={28}
				row={(one) => (
					<button
						type="button"
						key={one.id}
						class="case-row"
						aria-pressed={one === chosen}
						onClick={() => setChosen(one)}
					>
						<Badge word={one.status} />
						<span class="cut">{one.id}</span>
					</button>
				)}
			/>
			{chosen !== null && <Words text={chosen.message ?? "It said nothing."} from={chosen.id} />}
		</>
	);
}

export function CasesOf({ place, turn, check, purpose }: CasesOfProps): JSX.Element {
	const [cases, setCases] = useState<readonly Case[] | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [isOpen, setOpen] = useState(false);
	const open = (): void => {
		setOpen(true);
		const query = new URLSearchParams({ check, purpose });
		const path = api("runs", place.run, "tasks", place.task, "turns", String(turn), "cases");
		void get<CasesReply>(`${path}?${query}`).then((reply) => {
			if (reply.ok) setCases(inOrder(reply.value.cases));
			else setRefusal(reply.refusal);
		});
	};
	return (
		<>
			<button type="button" class="small" onClick={open}>
				cases
			</button>
			{isOpen && (
				<Dialog title={`${check}, turn ${turn}`} close={() => setOpen(false)} isWide={true}>
					<Refused refusal={refusal} />
					{cases !== null && <CaseList cases={cases} />}
				</Dialog>
			)}
		</>
	);
}
