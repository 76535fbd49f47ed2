/** Renders the problems of a build: location, message, code frame, hint, and an explanation of the code. */

import type { Problem } from "../../../base/problem.ts";
import { problemCodes } from "../../../base/problem-codes.ts";
import { Lines } from "./copy.tsx";
import { count } from "./format-number.ts";
import { InlineCode } from "./inline-code.tsx";
import { Badge, Section } from "./page-parts.tsx";

/** Maximum number of problems of each severity on a page. */
const shown_count = 100;

/** A list of problems. Errors come before warnings. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  const groups = [
    { title: "Errors", of: problems.filter(({ severity }) => severity === "error") },
    { title: "Warnings", of: problems.filter(({ severity }) => severity === "warning") },
  ];

  return (
    <>
      {groups.map(({ title, of }) =>
        of.length === 0 ? null : (
          <Section key={title} title={`${title} (${count(of.length)})`}>
            <ol class="d-findings">
              {of.slice(0, shown_count).map((problem, index) => (
                <li key={index}>
                  <ProblemItem problem={problem} />
                </li>
              ))}
            </ol>
            {of.length > shown_count && (
              <p class="d-muted">
                {`${count(of.length - shown_count)} more. Run `}
                <code>octavo check</code> to list them all.
              </p>
            )}
          </Section>
        ),
      )}
    </>
  );
}

function ProblemItem({ problem }: { problem: Problem }) {
  const { code, severity, message, hint, frame } = problem;
  const { title, meaning, fix } = problemCodes[code] ?? {};
  const location = [problem.file, problem.line, problem.line && problem.column].filter(Boolean).join(":");
  return (
    <article class={`d-finding d-finding-${severity}`}>
      <header>
        <code>{location}</code>
        <Badge kind={severity === "error" ? "danger" : "warning"}>{code}</Badge>
      </header>
      <p>
        <InlineCode text={message} />
      </p>
      {frame && <Lines label={`Lines around ${location}`} text={frame} />}
      {hint && (
        <p class="d-muted">
          <InlineCode text={hint} />
        </p>
      )}
      {title && (
        <details>
          <summary>About “{title}”</summary>
          <p>
            <InlineCode text={`${meaning} ${fix}`} />
          </p>
        </details>
      )}
    </article>
  );
}
