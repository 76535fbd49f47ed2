/** Defines the `assistant` settings of docs.json. */

import { list, object, optional, text } from "./schema-fields.ts";

/** Maximum number of origins that can show the widget. */
const origins_count = 50;

export const assistantSchema = object(
  {
    support: optional(
      text(
        "Link to your support, shown below each answer: an `https:` or `mailto:` URL. The ID of the conversation is added to it.",
        {
          pattern: "^(?:https://[^\\s/@]+(?:[/?#]\\S*)?|mailto:[^\\s@?#]+@[^\\s@?#]+(?:\\?[^\\s#]*)?)$",
          expected: "an https: or mailto: URL, such as https://example.com/contact",
        },
      ),
    ),
    widget: optional(
      object(
        {
          origins: list(
            text("Scheme, host, and optional port, such as `https://www.example.com`.", {
              pattern:
                "^(?!https:.*:443$|http:.*:80$)https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\\[[0-9a-f:]+\\])(?::[1-9]\\d{0,4})?$",
              expected:
                "an origin in lowercase without a path, a wildcard, or a default port, such as https://www.example.com",
            }),
            "Origins of the websites that can show the widget. Other websites can't read answers.",
            { minItems: 1, maxItems: origins_count, unique: true },
          ),
        },
        "The assistant as a widget on other websites.",
      ),
    ),
  },
  "Options for the assistant.",
);
