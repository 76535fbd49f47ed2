/** What a site's sign-in says about a reader. It's only stored in the reader's browser. */

/** For the playground: values by place and name. `server`: values of variables of server URLs. */
export type ReaderData = Partial<Record<ReaderDataPlace, Record<string, string | number | boolean>>> & {
  /** The variable `user` of pages. */
  user?: Record<string, ReaderValue>;
};

export type ReaderValue = string | number | boolean | ReaderValue[] | { [name: string]: ReaderValue };

export type ReaderDataPlace = "server" | "header" | "query" | "cookie" | "path";

/** Name of the cookie. */
export const readerDataCookie = "octavo_reader_data";
