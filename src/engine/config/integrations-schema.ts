/** Defines the schema of `integrations` in docs.json. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { flag, host, httpUrl, object, optional, text } from "./schema-fields.ts";

const service = <T extends Record<string, TSchema>>(fields: T, name: string) =>
  optional(object(fields, `${name}.`));

/** Integrations that are accepted in docs.json but not loaded. */
const otherIntegrations =
  "adobe amplitude clarity clearbit fathom frontchat heap hightouch hotjar intercom koala logrocket mixpanel onetrust pirsch transcend".split(
    " ",
  );

export const integrationsSchema = object(
  {
    telemetry: optional(
      object(
        {
          enabled: optional(
            flag(
              "Set to `false` to turn off Octavo's own analytics and feedback. The services configured in `integrations` are still loaded.",
              true,
            ),
          ),
        },
        "Octavo's own analytics and feedback.",
      ),
    ),
    cookies: optional(
      object(
        {
          key: text("Name of the local storage entry or cookie.", { minLength: 1 }),
          value: text("Value that indicates consent."),
        },
        "Reader consent. Until a reader consents, the reader isn't counted and none of these services are loaded.",
      ),
    ),
    ga4: service(
      {
        measurementId: text("Measurement ID.", {
          pattern: "^G",
          expected: "an ID that starts with G, such as G-ABC123",
        }),
      },
      "Google Analytics 4",
    ),
    gtm: service(
      {
        tagId: text("Container ID.", {
          pattern: "^G",
          expected: "an ID that starts with G, such as GTM-ABC123",
        }),
      },
      "Google Tag Manager",
    ),
    plausible: service(
      {
        domain: host("The site's domain in Plausible."),
        server: optional(host("Host of a self-hosted Plausible server.")),
      },
      "Plausible",
    ),
    posthog: service(
      {
        apiKey: text("Project API key.", { pattern: "^phc_", expected: "a key that starts with phc_" }),
        apiHost: optional(httpUrl("URL of your PostHog server or region.")),
        sessionRecording: optional(flag("Records sessions.", true)),
      },
      "PostHog",
    ),
    segment: service(
      {
        key: text("Write key.", { minLength: 1 }),
        cdnUrl: optional(
          httpUrl(
            "Base URL that Segment's script is loaded from, such as your own proxy. Default: `https://cdn.segment.com`.",
          ),
        ),
      },
      "Segment",
    ),
    ...Object.fromEntries(
      otherIntegrations.map((name) => [
        name,
        optional(
          Type.Object(
            {},
            {
              description: "Accepted, but has no effect.",
              loose: true,
              ineffective: "Load the service with a script in the documentation folder, or remove the key.",
            },
          ),
        ),
      ]),
    ),
  },
  "Analytics services. They aren't loaded on air-gapped sites or when pages are opened as local files.",
  { strict: true },
);

export type Integrations = Static<typeof integrationsSchema>;
