/** The tables of the records; run once, in the transaction that makes the schema. */
export const RECORD_TABLES = "";
