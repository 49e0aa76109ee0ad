/** The user's home in shell, for setups and checks, which have another one: the checkouts of tests lie below it. */
export const USER_HOME = ["$", "{PWD%%/checkouts/*}"].join("");
