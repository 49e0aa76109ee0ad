/** No further call may be made: the budget of the run or of the task is spent. The message says which. */
export class BudgetSpent extends Error {}
