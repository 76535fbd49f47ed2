/** The analytics services that a site names, as one script of our own that asks for theirs. */
import type { Integrations } from "../config/schema.ts";
import type { ExportTarget } from "./target.ts";

type Services = { [Name in "ga4" | "gtm" | "plausible" | "posthog" | "segment"]: (settings: NonNullable<Integrations[Name]>) => string };

/** What each does, in terms of `load(address, attributes)` and the page's `dataLayer`. */
const services: Services = {
  ga4: ({ measurementId }) =>
    `function gtag(){dataLayer.push(arguments)}gtag("js",new Date);gtag("config",${js(measurementId)});load(${js(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(measurementId)}`)});`,
  gtm: ({ tagId }) =>
    `dataLayer.push({"gtm.start":Date.now(),event:"gtm.js"});load(${js(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(tagId)}`)});`,
  plausible: ({ domain, server }) => `load(${js(`https://${server ?? "plausible.io"}/js/script.js`)},{"data-domain":${js(domain)}});`,
  posthog: ({ apiKey, apiHost = "https://us.i.posthog.com", sessionRecording }) => {
    const host = apiHost.replace(/\/+$/, "");
    const options = { api_host: host, ...(sessionRecording === false ? { disable_session_recording: true } : {}) };
    return `var p=window.posthog=[];p.people=[];p._i=[[${js(apiKey)},${js(options)},"posthog"]];load(${js(`${host}/static/array.js`)});`;
  },
  segment: ({ key, cdnUrl = "https://cdn.segment.com" }) =>
    `var a=window.analytics=[];a._writeKey=${js(key)};a.push(["page"]);load(${js(`${cdnUrl.replace(/\/+$/, "")}/analytics.js/v1/${encodeURIComponent(key)}/analytics.min.js`)});`,
};

/** The script; undefined when the site names no service, or may reach none. */
export function integrationsScript(integrations: Integrations | undefined, { kind }: ExportTarget): string | undefined {
  if (!integrations || kind === "air-gapped") return undefined;
  const calls = (Object.keys(services) as (keyof Services)[]).map((name) => {
    const settings = integrations[name];
    return settings ? services[name](settings as never) : "";
  });
  if (calls.every((call) => call === "")) return undefined;
  const { cookies } = integrations;
  // A bundle that is opened from disk must not ask for anything.
  const guards = [
    `if(!/^http/.test(location.protocol))return;`,
    cookies ? `if(!consents(${js(cookies.key)},${js(cookies.value)}))return;` : "",
  ];
  return `(function(){${guards.join("")}${cookies ? consents : ""}${load}var dataLayer=window.dataLayer=window.dataLayer||[];${calls.join("")}})();\n`;
}

const consents = `function consents(key,value){try{if(localStorage.getItem(key)===value)return true}catch(e){}return document.cookie.split("; ").indexOf(key+"="+value)>=0}`;

const load = `function load(address,attributes){var s=document.createElement("script");s.async=true;s.src=address;for(var name in attributes)s.setAttribute(name,attributes[name]);document.head.appendChild(s)}`;

function js(value: unknown): string {
  return JSON.stringify(value);
}
