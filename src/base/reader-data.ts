/** What a site's sign-in says about a reader for the playground. It's only stored in the reader's browser. */

/** Values by place and name. `server`: values of variables of server URLs. */
export type ReaderData = Partial<Record<ReaderDataPlace, Record<string, string | number | boolean>>>;

export type ReaderDataPlace = "server" | "header" | "query" | "cookie" | "path";

/** Name of the cookie. */
export const readerDataCookie = "octavo_reader_data";
