/** `counted(1, "turn")` is `"1 turn"`, `counted(2, "turn")` is `"2 turns"`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : plural}`;
}
