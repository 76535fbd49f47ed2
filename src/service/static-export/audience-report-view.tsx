import type { CheckedAudience } from "../../engine/export/audience-report.ts";
import { count } from "../ui/kit/format-number.ts";
import { Section } from "../ui/kit/page-parts.tsx";

/** Maximum number of entries in each list. The API returns all of them. */
const shown_count = 50;

/** Lists the content that an export for some readers leaves out. */
export function LeftOut({ report: { leftOut, checked } }: { report: CheckedAudience }) {
  const isEmpty = Object.values(leftOut).every((list) => list.length === 0);
  const lead = isEmpty
    ? "Nothing. These readers can read the whole site."
    : `Content that these readers can't read. None of its text is in the export (${count(checked.files)} files checked).`;

  return (
    <Section title="Left out" lead={lead}>
      <Entries
        title="Pages"
        entries={leftOut.pages.map(({ path, readers }) => ({
          code: path,
          text: readers === "signed-in" ? "for signed-in readers" : `for ${readers.join(", ")}`,
        }))}
      />
      <Entries title="Parts of pages" entries={leftOut.contentOn.map((path) => ({ code: path }))} />
      <Entries title="Files" entries={(leftOut.files ?? []).map((path) => ({ code: path }))} />
      <Entries
        title="Operations and schemas"
        entries={leftOut.parts.map(({ document, pointer }) => ({ code: pointer, text: `in ${document}` }))}
      />
    </Section>
  );
}

function Entries({ title, entries }: { title: string; entries: readonly { code: string; text?: string }[] }) {
  if (entries.length === 0) return null;

  return (
    <>
      <h3>{title}</h3>
      <ul class="d-list">
        {entries.slice(0, shown_count).map(({ code, text }) => (
          <li key={code + text}>
            <code>{code}</code> {text}
          </li>
        ))}
        {entries.length > shown_count && (
          <li>{`${count(entries.length - shown_count)} more. The API lists all of them.`}</li>
        )}
      </ul>
    </>
  );
}
