import type { Finding } from "../../engine/openapi/check/check-value.ts";
import { findingText } from "./finding-text.ts";
import { useFormContext } from "./form-context.ts";

/** Maximum number of listed findings. */
const shown_count = 50;

/**
 * List of differences from the API document. Findings about the request link to their fields, and don't
 * prevent the reader from sending the request.
 */
export function FindingsList({
  title,
  findings,
  reveal,
}: {
  title: string;
  findings: Finding[];
  reveal?(path: string): void;
}) {
  const { messages } = useFormContext();
  if (findings.length === 0) return null;

  return (
    <section class="o-pg-card o-pg-findings">
      <div class="o-pg-card-head">
        <h3>
          {title} <span class="o-pg-count">{findings.length}</span>
        </h3>
      </div>
      <ul>
        {findings.slice(0, shown_count).map((finding) => (
          <li>
            {reveal ? (
              <button type="button" onClick={() => reveal(finding.path)}>
                {finding.path}
              </button>
            ) : (
              <code>{finding.path}</code>
            )}{" "}
            {findingText(finding, messages)}{" "}
            {!reveal && <small class="o-pg-pointer">{finding.pointer}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
