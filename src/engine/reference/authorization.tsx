/** Renders the authorization section: security alternatives with their schemes. */

import { oneLine } from "../../base/one-line.ts";
import { isExternal, linkProps } from "../html/safe-attributes.ts";
import { spaced } from "../html/spaced.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import type { OAuthFlow, SecurityAlternative, SecurityScheme } from "../openapi/request/security.ts";
import { codeSpan } from "../write-markdown.ts";
import { anchorLink } from "./heading-anchor.tsx";
import type { ReferencePrint } from "./print.ts";
import { Switch } from "./select-switch.tsx";

export function Alternatives({
  page,
  security,
}: {
  page: ReferencePrint;
  security: readonly SecurityAlternative[];
}) {
  const { messages } = page.context.render;
  const titleOf = (alternative: SecurityAlternative) => alternative.title || messages.noAuthorization;
  if (security.length === 1) return <Schemes page={page} alternative={security[0]!} />;

  return (
    <Switch
      head={<span class="o-switch-word">{messages.oneOf}</span>}
      label={messages.authorization}
      options={security.map((alternative, panel) => ({ label: titleOf(alternative), panel }))}
      panels={security.map((alternative) => ({
        title: titleOf(alternative),
        children: <Schemes page={page} alternative={alternative} />,
      }))}
    />
  );
}

function Schemes({ page, alternative }: { page: ReferencePrint; alternative: SecurityAlternative }) {
  if (alternative.schemes.length === 0)
    return <p class="o-quiet">{page.context.render.messages.noAuthorization}</p>;
  return (
    <div class="o-fields">
      {alternative.schemes.map((scheme) => (
        <Scheme page={page} scheme={scheme} />
      ))}
    </div>
  );
}

/**
 * Returns the name and location of a scheme's credential in a request, and the format of its value. For
 * mutual TLS and unknown schemes, the name is the scheme's key, and the location and format are undefined.
 */
export function credentialLocation(scheme: SecurityScheme): {
  name: string;
  place?: string;
  format?: string;
} {
  switch (scheme.type) {
    case "apiKey":
      return { name: scheme.name, place: scheme.in };
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return { name: "Authorization", place: "header", format: "Bearer <token>" };
    case "basic":
      return { name: "Authorization", place: "header", format: "Basic <base64(username:password)>" };
    case "http":
      return { name: "Authorization", place: "header", format: `${scheme.scheme} …` };
    default:
      return { name: scheme.key };
  }
}

export function schemeLabel(scheme: SecurityScheme): string {
  if (scheme.type === "bearer") return scheme.format ? `bearer · ${scheme.format}` : "bearer";
  if (scheme.type === "oauth2") return "OAuth 2.0";
  if (scheme.type === "openIdConnect") return "OpenID Connect";
  if (scheme.type === "mutualTLS") return "mutual TLS";
  if (scheme.type === "http") return scheme.scheme;
  return scheme.type === "apiKey" ? "API key" : scheme.type === "unknown" ? "any" : scheme.type;
}

/** Returns the URLs of a flow with their labels. */
function labeledUrls(flow: OAuthFlow, messages: SiteMessages): [label: string, url: string][] {
  const urls: [string, string | undefined][] = [
    [messages.authorizationUrl, flow.authorizationUrl ?? flow.deviceAuthorizationUrl],
    [messages.tokenUrl, flow.tokenUrl],
    [messages.refreshUrl, flow.refreshUrl],
  ];
  return urls.filter((entry): entry is [string, string] => Boolean(entry[1]));
}

/** Returns the URLs and scopes of a scheme's flows, or the URL of its metadata. */
export function flowTexts(scheme: SecurityScheme, messages: SiteMessages): string[] {
  if (scheme.type === "openIdConnect") return [scheme.url];
  if (scheme.type !== "oauth2") return [];

  const flows = scheme.flows.map((flow) => {
    const urls = labeledUrls(flow, messages).map(([label, url]) => `${label}: ${url}`);
    const scopes = flow.scopes.map(([name, text]) => `${codeSpan(name)}${text ? ` (${oneLine(text)})` : ""}`);
    return [flow.flow, ...urls, scopes.join(", ")].filter(Boolean).join(" · ");
  });

  return scheme.url ? [scheme.url, ...flows] : flows;
}

function Scheme({ page, scheme }: { page: ReferencePrint; scheme: SecurityScheme }) {
  const { context } = page;
  const { messages } = context.render;
  const { name, place, format } = credentialLocation(scheme);
  const id = page.ids.field(name, "authorization");
  return (
    <div class="o-field field" id={id}>
      <div class="o-field-head">
        {spaced([
          <code class="o-field-name">{name}</code>,
          <span class="o-field-type">{schemeLabel(scheme)}</span>,
          place && <span class="o-field-pill">{place}</span>,
          scheme.deprecated && <span class="o-field-deprecated">{messages.deprecated}</span>,
          <span class="o-field-required">{messages.required}</span>,
          anchorLink(messages, id, name),
        ])}
      </div>
      {scheme.description ? (
        <div
          class="o-field-body"
          dangerouslySetInnerHTML={{ __html: context.markdown(scheme.description) }}
        />
      ) : scheme.type === "mutualTLS" ? (
        <p class="o-field-body">{messages.clientCertificate}</p>
      ) : (
        format && (
          <p class="o-field-body">
            {messages.format}: <code>{format}</code>
          </p>
        )
      )}
      {(scheme.type === "openIdConnect" || scheme.type === "oauth2") && scheme.url && (
        <p class="o-field-body">
          {isExternal(scheme.url) ? (
            <a {...linkProps(scheme.url)}>{scheme.url}</a>
          ) : (
            <code>{scheme.url}</code>
          )}
        </p>
      )}
      {scheme.scopes.length > 0 && (
        <p class="o-choices">
          {messages.scopes}: {scheme.scopes.map((scope) => [<code>{scope}</code>, " "])}
        </p>
      )}
      {scheme.type === "oauth2" && scheme.flows.length > 0 && (
        <details class="o-expandable expandable">
          <summary>{scheme.flows.map(({ flow }) => flow).join(" · ")}</summary>
          <div class="o-expandable-body">
            {scheme.flows.map((flow) => (
              <Flow page={page} flow={flow} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** Maximum number of a flow's scopes that are listed in rows. The names of further scopes are on one line. */
const scopes_count = 24;

function Flow({ page, flow }: { page: ReferencePrint; flow: OAuthFlow }) {
  const { messages } = page.context.render;
  const rest = flow.scopes.slice(scopes_count);
  return (
    <dl class="o-pairs">
      <dt>
        <code>{flow.flow}</code>
      </dt>
      {labeledUrls(flow, messages).map(([label, url]) => (
        <dd>
          {label}: {isExternal(url) ? <a {...linkProps(url)}>{url}</a> : <code>{url}</code>}
        </dd>
      ))}
      {flow.scopes.slice(0, scopes_count).map(([scope, text]) => (
        <dd>{spaced([<code>{scope}</code>, text])}</dd>
      ))}
      {rest.length > 0 && (
        <dd>
          <code>{rest.map(([scope]) => scope).join(", ")}</code>
        </dd>
      )}
    </dl>
  );
}
