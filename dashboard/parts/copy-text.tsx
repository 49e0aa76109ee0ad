import type { JSX } from "preact";
import { useState } from "preact/hooks";

export function CopyText({
	text,
	what,
}: {
	readonly text: string;
	readonly what: string;
}): JSX.Element {
	const [said, setSaid] = useState("copy");
	const copy = (): void => {
		navigator.clipboard.writeText(text).then(
			() => setSaid("copied"),
			() => setSaid("select it to copy"),
		);
	};
	return (
		<span class="copy">
			<code>{text}</code>
			<button type="button" class="small" onClick={copy} aria-label={`Copy ${what}`}>
				{said}
			</button>
		</span>
	);
}
