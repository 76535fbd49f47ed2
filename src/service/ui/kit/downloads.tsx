import { LinkButton } from "./form.tsx";
import { hrefWith, type Query } from "./href-with.ts";

/** Download links for the data of the page. `of`: name of the data, for screen readers. */
export function Downloads({ path, query, of }: { path: string; query: Query; of: string }) {
  return (
    <>
      <LinkButton href={hrefWith(path, { ...query, format: "csv" })} of={`of ${of}`}>
        Download CSV
      </LinkButton>
      <LinkButton href={hrefWith(path, { ...query, format: "ndjson" })} of={`of ${of}`}>
        NDJSON
      </LinkButton>
    </>
  );
}
