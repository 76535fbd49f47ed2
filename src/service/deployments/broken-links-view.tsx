import type { Problem } from "../../base/problem.ts";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Downloads } from "../ui/kit/downloads.tsx";
import { count } from "../ui/kit/format-number.ts";
import { Empty, MetricTiles, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { type BrokenLinkKind, brokenLinkKind, brokenTarget } from "./broken-links.ts";

export interface BrokenLinksProps {
  ids: ProjectIds;
  /**
   * The live deployment; undefined if there is none. `isCut`: whether it has more problems than are stored.
   */
  live: { id: string; number: number; isCut: boolean } | undefined;
  /** The broken links, sorted by file and line. */
  links: readonly Problem[];
}

const labels: Record<BrokenLinkKind, string> = {
  link: "Page not found.",
  anchor: "Anchor not found.",
  image: "Image not found.",
};

export function BrokenLinks({ ids, live, links }: BrokenLinksProps) {
  const path = projectHref(ids.organizationId, ids.projectId, "/broken-links");
  const files = [...new Set(links.map(({ file }) => file))];
  const countOf = (kind: BrokenLinkKind) =>
    count(links.filter((link) => brokenLinkKind(link) === kind).length);
  return (
    <>
      <PageHead
        title="Broken links"
        lead={
          live && (
            <>
              Links, anchors, and images on the live site that don't work.{" "}
              <a href={projectHref(ids.organizationId, ids.projectId, `/deployments/${live.id}`)}>
                Deployment {live.number}
              </a>{" "}
              is live.
            </>
          )
        }
        actions={links.length > 0 && <Downloads path={path} query={{}} of="broken links" />}
      />
      {!live && <Empty title="No live deployment">Deploy your site to check its links.</Empty>}
      {live && links.length === 0 && (
        <Empty title="No broken links">
          All internal links, anchors, and images work. Links to other sites aren't checked.
        </Empty>
      )}
      {links.length > 0 && (
        <MetricTiles
          tiles={[
            { label: "Broken links", value: countOf("link") },
            { label: "Missing anchors", value: countOf("anchor") },
            { label: "Missing images", value: countOf("image") },
            { label: "Files", value: count(files.length) },
          ]}
        />
      )}
      {live?.isCut && (
        <Note kind="warning">
          <p>Only the first problems from this build are stored. Run octavo check to list them all.</p>
        </Note>
      )}
      {files.map((file) => {
        const own = links.filter((link) => link.file === file);
        return (
          <Section key={file} title={file}>
            <Table
              label={`Broken links in ${file}`}
              rows={own}
              keyOf={(link) => String(own.indexOf(link))}
              columns={[
                { title: "Line", cell: ({ line }) => line ?? "–" },
                {
                  title: "Target",
                  isWide: true,
                  cell: (link) => (
                    <>
                      <code>{brokenTarget(link)}</code>
                      <small class="d-under">
                        {[labels[brokenLinkKind(link)], link.hint].filter(Boolean).join(" ")}
                      </small>
                    </>
                  ),
                },
              ]}
            />
          </Section>
        );
      })}
    </>
  );
}
