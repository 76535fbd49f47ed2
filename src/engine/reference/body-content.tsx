/** Renders the content of a body: the fields of each schema, and a switch between media types. */

import type { ComponentChildren } from "preact";
import { spaced } from "../html/spaced.ts";
import type { Header, MediaType } from "../openapi/request/operation.ts";
import type { Limit } from "../openapi/schema/constraint-text.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { FieldNode } from "./expand-schemas.ts";
import { FieldTree, ParameterField } from "./field-rows.tsx";
import { descriptionsOf, saysAll } from "./field-text.ts";
import type { ReferencePrint } from "./print.ts";
import { Switch } from "./select-switch.tsx";

interface ContentPanel {
  node?: FieldNode | undefined;
  /** Media types that share the panel, as in the document. */
  media: MediaType[];
}

/** Groups media types by schema, so that JSON and XML with the same schema are shown once. */
export function contentPanels(
  page: ReferencePrint,
  content: readonly MediaType[],
  direction: Direction,
): ContentPanel[] {
  const panels = new Map<string, ContentPanel>();
  for (const media of content) {
    for (const { headers } of Object.values(media.encoding))
      for (const header of headers) page.expansion.addSchema(header.schema, direction);
    const key = media.schema ? page.expansion.keyOf(media.schema, direction) : "";
    const known = panels.get(key);
    if (known) known.media.push(media);
    else
      panels.set(key, {
        media: [media],
        node: media.schema && page.expansion.addSchema(media.schema, direction),
      });
  }

  return [...panels.values()];
}

/**
 * Whether the descriptions of all schemas of a body contain its own description and more, so that only they
 * are shown.
 */
export function isCovered(
  page: ReferencePrint,
  content: readonly MediaType[],
  direction: Direction,
  description: string,
): boolean {
  const panels = contentPanels(page, content, direction);
  return (
    panels.length > 0 &&
    panels.every(
      ({ node }) =>
        node &&
        descriptionsOf(node).some((text) => saysAll(text, description) && !saysAll(description, text)),
    )
  );
}

interface ContentProps {
  page: ReferencePrint;
  content: readonly MediaType[];
  direction: Direction;
  section: string;
  head: ComponentChildren;
  /** Description of the body, which is part of `head` or `children`. */
  said?: string | undefined;
  /** Content between the heading and the fields. */
  children?: ComponentChildren;
}

export function Content({ page, content, direction, section, head, said, children }: ContentProps) {
  const { messages } = page.context.render;
  const panels = contentPanels(page, content, direction);
  const trees = panels.map(({ media, node }) => ({
    title: media.map(({ type }) => type).join(", "),
    children: [
      node && (
        <FieldTree
          page={page}
          node={node}
          section={section}
          said={said}
          details={(name) => encodingOf(media, name)}
        />
      ),
      ...encodedHeaders(media).map(([name, headers]) => (
        <>
          <p class="o-switch-word">{`${messages.headers} · ${name}`}</p>
          <div class="o-fields">
            {headers.map((header) => (
              <ParameterField
                page={page}
                parameter={header}
                direction={direction}
                section={`${section}.${name}`}
              />
            ))}
          </div>
        </>
      )),
    ],
  }));

  if (content.length < 2) {
    return (
      <>
        <div class="o-switch-head">
          {spaced([head, content[0] && <code class="o-media">{content[0].type}</code>])}
        </div>
        {children}
        {trees[0]?.children}
      </>
    );
  }

  return (
    <Switch
      head={head}
      label={messages.mediaType}
      options={content.map((media) => ({
        label: media.type,
        panel: panels.findIndex((panel) => panel.media.includes(media)),
      }))}
      panels={trees}
    >
      {children}
    </Switch>
  );
}

/** Returns the declared content type and style of a form property. */
export function encodingOf(media: readonly MediaType[], name: string): Limit[] {
  const found = media.find(({ encoding }) => Object.hasOwn(encoding, name))?.encoding[name];
  return [found?.contentType, found?.style].flatMap((value) =>
    value === undefined ? [] : { text: "", value },
  );
}

/** Returns the names of form properties that are sent with their own headers, with these headers. */
export function encodedHeaders(media: readonly MediaType[]): [name: string, headers: Header[]][] {
  const found = media.flatMap(({ encoding }) =>
    Object.entries(encoding).map(([name, { headers }]) => [name, headers] as const),
  );
  return [...new Map(found)].filter(([, headers]) => headers.length > 0);
}
