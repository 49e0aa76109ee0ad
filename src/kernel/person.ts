/** Author of a commit. */
export interface Person {
	readonly name: string;
	readonly email: string;
}
