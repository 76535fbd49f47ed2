import { LinkButton } from "./form.tsx";
import { hrefWith, type Query } from "./range.tsx";

/** What the page shows, all of it, as a file. `of`: what it is, for those who hear only the link. */
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
