/** Shows the members of a project how a preview differs from the live site, with the questions of readers. */

import { plural } from "../../base/plural.ts";
import type { ComparedApi, ListedPaths } from "../../builder/compare-sites.ts";
import type { RecordedQuestion } from "../../builder/replay-questions.ts";
import { InlineCode } from "../ui/kit/inline-code.tsx";
import { Note, Section } from "../ui/kit/page-parts.tsx";
import { answersText } from "./answers-text.ts";
import type { PreviewComparison } from "./compare-with-live.ts";

export interface ComparisonProps {
  comparison: PreviewComparison;
  /** Questions that are still stored. */
  lost: readonly RecordedQuestion[];
  gained: readonly RecordedQuestion[];
}

export function Comparison({ comparison, lost, gained }: ComparisonProps) {
  if ("missing" in comparison)
    return (
      <Note kind="warning">
        <p>
          {comparison.missing === "failed"
            ? "The preview couldn't be compared with the live site."
            : "Comparing the preview with the live site took too long."}
        </p>
      </Note>
    );

  const { added, changed, gone, broken, apis, answers } = comparison;
  const lists = [
    [added, "page", "added"],
    [changed, "page", "changed"],
    [gone, "page", "removed"],
    [broken, "link", "to the live site will break"],
  ] as const;
  const hasDifferences = lists.some(([{ count }]) => count > 0) || apis.length > 0;
  return (
    <Section title="Compared with the live site">
      {!hasDifferences && <p>The pages and APIs are the same.</p>}
      {lists.map(([list, noun, what]) => (
        <Paths key={what} list={list} title={`${plural(list.count, noun)} ${what}`} />
      ))}
      {apis.map((api) => (
        <Api key={api.file} api={api} />
      ))}
      {answers && answers.lost.length + answers.gained.length > 0 && (
        <>
          <p>{`${answersText(answers)}.`}</p>
          <Questions title="Questions that lose their answer" questions={lost} />
          <Questions title="Questions that gain an answer" questions={gained} />
        </>
      )}
    </Section>
  );
}

function Paths({ list: { count, paths }, title }: { list: ListedPaths; title: string }) {
  if (count === 0) return null;
  const others = count - paths.length;
  return (
    <details class="d-fold">
      <summary>{title}</summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
        {others > 0 && <li>{`${others} more`}</li>}
      </ul>
    </details>
  );
}

function Api({ api: { file, counts, changes } }: { api: ComparedApi }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <details class="d-fold">
      <summary>{`${plural(total, "API change")} in ${file}, ${counts.breaking} breaking`}</summary>
      <ul>
        {changes.map(({ level, text }) => (
          <li key={text}>
            {level === "breaking" ? "Breaking: " : "May break: "}
            <InlineCode text={text} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Questions({ title, questions }: { title: string; questions: readonly RecordedQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <details class="d-fold">
      <summary>{title}</summary>
      <ul>
        {questions.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
