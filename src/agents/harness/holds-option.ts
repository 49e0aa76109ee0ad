/**
 * Whether a user's arguments give one of these options, so that Sparring must not add its own: `--model x`,
 * `--model=x`, and for one letter also `-mx`.
 *
 * @param options as they are written, dashes included
 * @example `holdsOption(["--model=opus"], "--model", "-m")` is true
 */
export function holdsOption(args: readonly string[], ...options: readonly string[]): boolean {
	return args.some((arg) =>
		options.some(
			(option) =>
				arg === option ||
				arg.startsWith(`${option}=`) ||
				(/^-[^-]$/.test(option) && arg.startsWith(option)),
		),
	);
}
