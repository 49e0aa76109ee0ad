import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Action, ActionList, ActionPreview, ActionStarted } from "../../src/web/protocol.ts";
import { api, get, post, type Refusal } from "../net/api.ts";
import { CopyText } from "../parts/copy-text.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Refused } from "../parts/refused.tsx";

const NAMES: Readonly<Record<Action, string>> = {
	cancel: "Cancel the run",
	resume: "Resume",
	land: "Land",
	prune: "Prune",
};

interface ActionDialogProps {
	readonly run: string;
	readonly action: Action;
	readonly close: () => void;
}

function Preview({ preview }: { readonly preview: ActionPreview }): JSX.Element {
	return (
		<>
			{preview.refused !== null && (
				<p class="notice attention" role="alert">
					{preview.refused}
				</p>
			)}
			{preview.effects.length > 0 && (
				<ul>
					{preview.effects.map((effect) => (
						<li key={effect} class="words">
							{effect}
						</li>
					))}
				</ul>
			)}
			<p class="dim">
				In a terminal: <CopyText text={preview.command} what="the command" />
			</p>
		</>
	);
}

function ActionDialog({ run, action, close }: ActionDialogProps): JSX.Element {
	const [preview, setPreview] = useState<ActionPreview | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [isBusy, setBusy] = useState(false);
	useEffect(() => {
		void get<ActionList>(api("runs", run, "actions")).then((reply) => {
			if (!reply.ok) setRefusal(reply.refusal);
			else setPreview(reply.value.actions.find((one) => one.action === action) ?? null);
		});
	}, []);
	const start = async (): Promise<void> => {
		setBusy(true);
		const reply = await post<ActionStarted>(api("runs", run, action), {});
		setBusy(false);
		if (reply.ok) close();
		else setRefusal(reply.refusal);
	};
	const canStart = preview !== null && preview.refused === null && !isBusy;
	const taken = {
		name: isBusy ? "Starting …" : NAMES[action],
		isDanger: action === "cancel" || action === "prune",
		isDisabled: !canStart,
		act: () => void start(),
	};
	return (
		<Dialog title={NAMES[action]} close={close} action={taken}>
			{preview === null ? (
				refusal === null && <p class="dim">Looking at what it would do …</p>
			) : (
				<Preview preview={preview} />
			)}
			<Refused refusal={refusal} />
		</Dialog>
	);
}

export function ActionButton({
	run,
	action,
	isMain = false,
}: {
	readonly run: string;
	readonly action: Action;
	readonly isMain?: boolean;
}): JSX.Element {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" class={isMain ? "primary" : ""} onClick={() => setOpen(true)}>
				{NAMES[action]} …
			</button>
			{isOpen && <ActionDialog run={run} action={action} close={() => setOpen(false)} />}
		</>
	);
}
