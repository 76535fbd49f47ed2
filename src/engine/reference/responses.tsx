/** Renders responses as tabs by status. */

import type { ComponentChildren } from "preact";
import { TabSet } from "../components/tab-set.tsx";
import { spaced } from "../html/spaced.ts";
import type { Link, Response } from "../openapi/request/operation.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import { Content, isCovered } from "./body-content.tsx";
import { Variables } from "./endpoint.tsx";
import { ParameterField } from "./field-rows.tsx";
import type { ReferencePrint } from "./print.ts";
import { statusClass, statusName } from "./status-names.ts";

interface ResponsesProps {
  page: ReferencePrint;
  responses: readonly Response[];
  direction: Direction;
  /** Prefix of the status in ids. Set for callbacks. */
  section?: string;
}

/**
 * Maximum length of a row of tabs with status names, in characters. Each tab counts as four more characters,
 * for its dot and spacing. Longer rows show only the codes.
 */
const tabs_chars = 56;

export function Responses({ page, responses, direction, section }: ResponsesProps) {
  const named =
    responses.reduce((sum, { status }) => sum + status.length + (statusName(status)?.length ?? 0) + 4, 0) <=
    tabs_chars;

  return (
    <TabSet
      class="o-tabset o-responses"
      sync={false}
      selected={0}
      panels={responses.map((response) => ({
        label: response.status,
        title: <StatusTitle status={response.status} named={named} />,
        children: (
          <ResponsePanel
            page={page}
            response={response}
            direction={direction}
            section={[section, response.status].filter(Boolean).join(".")}
            named={named}
          />
        ),
      }))}
    />
  );
}

/**
 * The title of a response: a dot in the color of the status class, the status code, and the reason phrase if
 * `named` is set.
 */
export function StatusTitle({ status, named }: { status: string; named: boolean }): ComponentChildren {
  const name = named && statusName(status);
  return (
    <>
      <i class={`o-dot o-dot-${statusClass(status) ?? "x"}`} />
      {name ? `${status} ${name}` : status}
    </>
  );
}

function ResponsePanel({
  page,
  response,
  direction,
  section,
  named,
}: Omit<ResponsesProps, "responses"> & { response: Response; section: string; named: boolean }) {
  const { context } = page;
  const { messages } = context.render;
  const { status, summary, description, headers, content, links } = response;
  const name = statusName(status);
  const showsDescription =
    description &&
    description.trim().toLowerCase() !== name?.toLowerCase() &&
    !isCovered(page, content, direction, description);

  const head = (
    <div class="o-response-head">
      {!named && name && <p class="o-switch-word">{name}</p>}
      {summary && <p class="o-field-body">{summary}</p>}
      {showsDescription && (
        <div class="o-field-body" dangerouslySetInnerHTML={{ __html: context.markdown(description) }} />
      )}
    </div>
  );

  return (
    <Content
      page={page}
      content={content}
      direction={direction}
      section={section}
      head={head}
      said={description}
    >
      {headers.length > 0 && (
        <Fold title={messages.headers} count={headers.length}>
          {headers.map((header) => (
            <ParameterField
              page={page}
              parameter={header}
              direction={direction}
              section={`${section}.header`}
            />
          ))}
        </Fold>
      )}
      {links.length > 0 && (
        <Fold title={messages.links} count={links.length}>
          {links.map((link) => (
            <LinkRow page={page} link={link} />
          ))}
        </Fold>
      )}
    </Content>
  );
}

function Fold({ title, count, children }: { title: string; count: number; children: ComponentChildren }) {
  return (
    <details class="o-expandable expandable">
      <summary>{`${title} (${count})`}</summary>
      <div class="o-expandable-body">{children}</div>
    </details>
  );
}

function LinkRow({ page, link }: { page: ReferencePrint; link: Link }) {
  return (
    <div class="o-field field">
      <div class="o-field-head">
        {spaced([
          <code class="o-field-name">{link.name}</code>,
          <span class="o-field-type">
            {"→ "}
            {link.operation ? (
              <a href={page.context.operationHref(link.operation.pointer)}>{link.operation.title}</a>
            ) : null}
            {"\n"}
            <code>{link.target}</code>
          </span>,
        ])}
      </div>
      {link.description && (
        <div
          class="o-field-body"
          dangerouslySetInnerHTML={{ __html: page.context.markdown(link.description) }}
        />
      )}
      {link.parameters.length > 0 && (
        <p class="o-limits">
          <code>{link.parameters.map(([name, value]) => `${name} = ${value}`).join(" · ")}</code>
        </p>
      )}
      {link.server && (
        <p class="o-limits">
          {page.context.render.messages.baseUrl} <code>{link.server.url}</code>{" "}
          {[link.server.name, link.server.description].filter(Boolean).join(": ")}
        </p>
      )}
      {link.server && <Variables page={page} servers={[link.server]} />}
      {link.requestBody !== undefined && (
        <p class="o-limits">
          {page.context.render.messages.body} <code>{link.requestBody}</code>
        </p>
      )}
    </div>
  );
}
