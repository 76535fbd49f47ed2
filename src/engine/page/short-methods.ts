/** Abbreviations of HTTP methods in the sidebar, by method. Other methods aren't abbreviated. */
export const shortMethods: Readonly<Record<string, string>> = {
  DELETE: "DEL",
  OPTIONS: "OPT",
  WEBHOOK: "HOOK",
};
