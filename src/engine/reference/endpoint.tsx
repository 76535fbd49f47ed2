/** Renders the bar at the top of an operation: method, path, base URL and the playground button. */

import type { ComponentChildren } from "preact";
import { InlineMarkdown } from "../components/inline-markdown.tsx";
import { defaultUrl } from "../openapi/document/document-urls.ts";
import { jsonText } from "../openapi/nodes/json-text.ts";
import type { Operation, Server } from "../openapi/request/operation.ts";
import type { ReferencePrint } from "./print.ts";

export function Endpoint({ page, operation }: { page: ReferencePrint; operation: Operation }) {
  const { messages } = page.context.render;
  const { kind, method, path, servers } = operation;
  const isCall = kind === "operation";
  const [server] = servers;
  const isDescribed =
    server !== undefined && (server.variables.length > 0 || Boolean(server.name ?? server.description));
  const showsBase =
    isCall && server !== undefined && (servers.length > 1 || isDescribed || page.context.showBaseUrl);
  return (
    <div class="o-endpoint">
      <div class="o-endpoint-bar">
        <Method name={kind === "webhook" ? "WEBHOOK" : method} />
        <code class="o-endpoint-path">{kind === "webhook" ? path : brokenAtSlashes(path)}</code>
        <button
          type="button"
          class="o-copy o-js"
          aria-label={messages.copy}
          data-copy={showsBase ? joined(server.url, path) : path}
          data-path={showsBase ? path : undefined}
        />
        {isCall && page.context.playground !== "none" && (
          <button
            type="button"
            class="o-primary o-try-it o-js"
            hidden={page.context.isPlaygroundRestricted}
            data-sign-in={page.context.isPlaygroundRestricted ? messages.tryItSignIn : undefined}
            data-failed={messages.tryItFailed}
          >
            {messages.tryIt}
          </button>
        )}
      </div>
      {showsBase && <Servers page={page} servers={servers} />}
    </div>
  );
}

export function Method({ name }: { name: string }) {
  return <span class={`o-method method-pill o-m-${name.toLowerCase().replace(/[^a-z]/g, "")}`}>{name}</span>;
}

function joined(base: string, path: string): string {
  return base.replace(/\/$/, "") + path;
}

/** Renders a path with emphasized `{parameters}` and optional line breaks before slashes. */
export function brokenAtSlashes(path: string): ComponentChildren {
  return path
    .split(/(\{[^{}]*\}|\/)/)
    .flatMap((part) =>
      part === "" ? [] : part === "/" ? [<wbr />, "/"] : part.startsWith("{") ? [<b>{part}</b>] : [part],
    );
}

function Servers({ page, servers }: { page: ReferencePrint; servers: readonly Server[] }) {
  const { messages } = page.context.render;
  return (
    <div class="o-servers">
      <span>{messages.baseUrl}</span>
      {servers.length === 1 ? (
        <code>{servers[0]!.url}</code>
      ) : (
        <select class="o-pick" data-server="" aria-label={messages.baseUrl}>
          {servers.map(({ url, name, description, variables }) => (
            <option value={url} data-base={defaultUrl({ url, variables })}>
              {name || description ? `${url} (${[name, description].filter(Boolean).join(": ")})` : url}
            </option>
          ))}
        </select>
      )}
      {servers.length === 1 && (
        <InlineMarkdown value={[servers[0]!.name, servers[0]!.description].filter(Boolean).join(": ")} />
      )}
      <Variables page={page} servers={servers} />
    </div>
  );
}

/** Lists the variables of servers. Null if there are none. */
export function Variables({ page, servers }: { page: ReferencePrint; servers: readonly Server[] }) {
  const { messages } = page.context.render;

  const variables = [
    ...new Map(
      servers.flatMap((server) => server.variables.map((variable) => [jsonText(variable), variable])),
    ).values(),
  ];

  if (variables.length === 0) return null;

  return (
    <dl>
      {variables.map((variable) => (
        <div>
          <dt>
            <code>{`{${variable.name}}`}</code>
          </dt>
          <dd>
            <InlineMarkdown value={variable.description ?? ""} />{" "}
            <span class="o-limits">
              {[...new Set([variable.default, ...variable.enum])]
                .filter(Boolean)
                .map((value, index) => [
                  index > 0 && ", ",
                  <code>{value}</code>,
                  value === variable.default && ` (${messages.default})`,
                ])}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
