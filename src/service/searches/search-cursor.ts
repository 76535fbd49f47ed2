/** Cursor of the list of queries: the number of searches for the last query, and the query in base64url. */
export const searchCursor = /^(\d{1,15})-([\w-]{1,1180})$/;
