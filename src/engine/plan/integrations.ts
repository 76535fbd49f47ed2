/**
 * Creates the script that loads the analytics services in docs.json, and lists the hosts that the services
 * use.
 */

import type { Integrations } from "../config/integrations-schema.ts";
import type { ExportTarget } from "./export-target.ts";

type Services = {
  [Name in "ga4" | "gtm" | "plausible" | "posthog" | "segment"]: (
    settings: NonNullable<Integrations[Name]>,
  ) => string;
};

/**
 * Functions that return the code that starts each service. The code can use `load(address, attributes)` and
 * `dataLayer`.
 */
const services: Services = {
  ga4: ({ measurementId }) =>
    `function gtag(){dataLayer.push(arguments)}gtag("js",new Date);gtag("config",${js(measurementId)});load(${js(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(measurementId)}`)});`,
  gtm: ({ tagId }) =>
    `dataLayer.push({"gtm.start":Date.now(),event:"gtm.js"});load(${js(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(tagId)}`)});`,
  plausible: ({ domain, server }) =>
    `load(${js(`https://${server ?? "plausible.io"}/js/script.js`)},{"data-domain":${js(domain)}});`,
  posthog: ({ apiKey, apiHost = "https://us.i.posthog.com", sessionRecording }) => {
    const host = apiHost.replace(/\/+$/, "");
    const options = {
      api_host: host,
      ...(sessionRecording === false ? { disable_session_recording: true } : {}),
    };
    return `var p=window.posthog=[];p.people=[];p._i=[[${js(apiKey)},${js(options)},"posthog"]];load(${js(`${host}/static/array.js`)});`;
  },
  segment: ({ key, cdnUrl = "https://cdn.segment.com" }) =>
    `var a=window.analytics=[];a._writeKey=${js(key)};a.push(["page"]);load(${js(`${cdnUrl.replace(/\/+$/, "")}/analytics.js/v1/${encodeURIComponent(key)}/analytics.min.js`)});`,
};

/**
 * Returns the script that loads the services. Undefined if no service is configured or the site is
 * air-gapped.
 */
export function integrationsScript(
  integrations: Integrations | undefined,
  { kind }: ExportTarget,
): string | undefined {
  if (!integrations || kind === "air-gapped") return undefined;
  const calls = (Object.keys(services) as (keyof Services)[]).map((name) => {
    const settings = integrations[name];
    return settings ? services[name](settings as never) : "";
  });
  if (calls.every((call) => call === "")) return undefined;
  const { cookies } = integrations;
  // Services aren't loaded on a page that is opened from disk.
  const guards = [
    `if(!/^http/.test(location.protocol))return;`,
    cookies ? `if(!consents(${js(cookies.key)},${js(cookies.value)}))return;` : "",
  ];
  return `(function(){${guards.join("")}${cookies ? consents : ""}${load}var dataLayer=window.dataLayer=window.dataLayer||[];${calls.join("")}})();\n`;
}

/** Returns the hosts that the services use, by kind of request. */
export function integrationHosts(
  integrations: Integrations | undefined,
  { kind }: ExportTarget,
): { script: string[]; connect: string[]; image: string[]; frame: string[] } {
  const hosts = {
    script: [] as string[],
    connect: [] as string[],
    image: [] as string[],
    frame: [] as string[],
  };

  if (!integrations || kind === "air-gapped") return hosts;
  const { ga4, gtm, plausible, posthog, segment } = integrations;
  if (ga4) {
    hosts.script.push("https://www.googletagmanager.com");
    hosts.image.push("https://www.googletagmanager.com", "https://*.google-analytics.com");
    hosts.connect.push(
      "https://*.google-analytics.com",
      "https://*.analytics.google.com",
      "https://*.googletagmanager.com",
    );
  }

  // The hosts that a tag manager uses are configured in the tag manager, so all hosts are allowed.
  if (gtm) for (const list of Object.values(hosts)) list.push("https:");
  if (plausible)
    for (const list of [hosts.script, hosts.connect])
      list.push(`https://${plausible.server ?? "plausible.io"}`);

  if (posthog) {
    const host = (posthog.apiHost ?? "https://us.i.posthog.com").replace(/\/+$/, "");
    for (const list of [hosts.script, hosts.connect])
      list.push(host, host.replace(".i.posthog.com", "-assets.i.posthog.com"));
  }

  if (segment) {
    const cdn = (segment.cdnUrl ?? "https://cdn.segment.com").replace(/\/+$/, "");
    for (const list of [hosts.script, hosts.connect]) list.push(cdn);
    hosts.connect.push("https://api.segment.io");
  }

  return hosts;
}

const consents = `function consents(key,value){try{if(localStorage.getItem(key)===value)return true}catch(e){}return document.cookie.split("; ").indexOf(key+"="+value)>=0}`;

const load = `function load(address,attributes){var s=document.createElement("script");s.async=true;s.src=address;for(var name in attributes)s.setAttribute(name,attributes[name]);document.head.appendChild(s)}`;

function js(value: unknown): string {
  return JSON.stringify(value);
}
