import type { JSX } from "preact";

export function Search({
	label,
	text,
	change,
	found,
	of,
}: {
	readonly label: string;
	readonly text: string;
	readonly change: (text: string) => void;
	readonly found: number;
	readonly of: number;
}): JSX.Element {
	return (
		<div class="search">
			<input
				type="search"
				aria-label={label}
				placeholder={label}
				value={text}
				onInput={({ currentTarget }) => change(currentTarget.value)}
			/>
			<span class="dim" role="status">
				{text.trim() !== "" && `${found} of ${of}`}
			</span>
		</div>
	);
}
