/** Who a commit is by. */
export interface Person {
	readonly name: string;
	readonly email: string;
}
