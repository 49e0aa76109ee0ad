import { commandOf } from "../terminal/command.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderBriefItem, renderItem } from "../terminal/render-item.ts";
import { lineWidth, withSparring } from "../terminal/shell.ts";
import { itemTold, listTold } from "./hil.ts";

export const command = commandOf<{ readonly all?: boolean }>(
	{
		examples: ["spar questions", "spar questions n07a4w", "spar questions n07a4w --all"],
		page: "people",
		argument: ["[id]", "id of a question, to read it"],
		options: { "--all": "answered questions too; of one question everything that is known" },
	},
	async (shell, flags, id) =>
		await withSparring(shell, "read", async (sparring) => {
			if (id === undefined) return await listTold(shell, sparring, flags);
			const render = flags.all === true ? renderItem : renderBriefItem;
			return await itemTold(sparring, id, (item) =>
				render(item, paintFor(shell.out, shell.env), lineWidth(shell.out)),
			);
		}),
);
