/** Shows values of `user` in the text of a page. A classic script. Without a value, the text stays. */

import { readReaderData } from "./reader-data.ts";

const user: unknown = readReaderData()?.user;
if (user)
  for (const element of document.querySelectorAll<HTMLElement>("[data-reader]")) {
    const value = element.dataset
      .reader!.split(".")
      .reduce<unknown>(
        (object, name) =>
          typeof object === "object" && object && Object.hasOwn(object, name)
            ? (object as Record<string, unknown>)[name]
            : undefined,
        user,
      );
    if (typeof value === "number" || (typeof value === "string" && value !== ""))
      element.textContent = String(value);
  }
