import type { NewFileLink } from "../repositories/new-file-link.ts";
import { Snippet } from "../ui/kit/copy.tsx";
import { LinkButton } from "../ui/kit/form.tsx";
import { Section } from "../ui/kit/page-parts.tsx";
import type { DraftPage } from "./draft-page.ts";

interface DraftProps {
  draft: DraftPage;
  downloadHref: string;
  /** Link to create the page in the repository; undefined if the repository's host has no such page. */
  newFile: NewFileLink | undefined;
}

/** A draft of a page, and links to download it and to create it in the repository. */
export function Draft({ draft: { name, content }, downloadHref, newFile }: DraftProps) {
  return (
    <Section
      title="Draft of a page"
      lead={leadOf(newFile)}
      actions={
        <>
          {newFile && <LinkButton href={newFile.url}>{`Create page on ${newFile.host}`}</LinkButton>}
          <LinkButton href={downloadHref} of={name}>
            Download
          </LinkButton>
        </>
      }
    >
      <Snippet label={name} text={content} />
    </Section>
  );
}

function leadOf(newFile: NewFileLink | undefined): string {
  const lead = "The questions are the headings, and the related sections are linked.";
  if (!newFile) return `${lead} Write the answers, and add the file to your documentation folder.`;
  const { host, hasContent } = newFile;
  const paste = hasContent ? "" : " Copy the draft first, and paste it there.";
  return `${lead} You can write the answers on ${host}, and open a pull request there with your own account.${paste}`;
}
