/** Rows that a group of the list draws before it is asked for more. */
export const mostRows = 100;
