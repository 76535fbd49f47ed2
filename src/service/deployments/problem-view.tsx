import { type ProblemCode, problemCodes } from "../../base/problem-codes.ts";
import { InlineCode } from "../ui/kit/inline-code.tsx";
import { PageHead, Section } from "../ui/kit/page-parts.tsx";

/** Page that explains a build problem and how to fix it. */
export function ProblemMeaning({ code }: { code: ProblemCode }) {
  const { title, meaning, fix } = problemCodes[code];
  return (
    <div class="d-narrow">
      <PageHead title={title} lead={<code>{code}</code>} />
      <Section title="What it means">
        <p>
          <InlineCode text={meaning} />
        </p>
      </Section>
      <Section title="How to fix it">
        <p>
          <InlineCode text={fix} />
        </p>
      </Section>
    </div>
  );
}
