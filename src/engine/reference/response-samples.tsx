import { TabSet } from "../components/tab-set.tsx";
import type { Operation } from "../openapi/request/operation.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import { bodyExamples, Examples } from "./example-code.tsx";
import type { ReferencePrint } from "./print.ts";
import { StatusTitle } from "./responses.tsx";

/** Maximum number of statuses in a row of tabs. If there are more, a select box replaces the tabs. */
const tabs_count = 5;

/** Examples of responses, for each status whose response has examples. */
export function ResponseSamples({
  page,
  operation,
  direction,
}: {
  page: ReferencePrint;
  operation: Operation;
  direction: Direction;
}) {
  const samples = operation.responses
    .map(({ status, content }) => ({ status, examples: bodyExamples(page, content, direction) }))
    .filter(({ examples }) => examples.length > 0);

  const panels = samples.map(({ status, examples }, i) => ({
    label: status,
    title: <StatusTitle status={status} named={false} />,
    children: <Examples page={page} examples={examples} first={i === 0} />,
  }));

  if (panels.length === 0) return null;

  return (
    <div class="o-example" data-example="response">
      <TabSet
        panels={panels}
        selected={0}
        sync={false}
        class="o-code-group code-group"
        dropdown={panels.length > tabs_count}
        dropdownLabel={page.context.render.messages.responses}
      />
    </div>
  );
}
