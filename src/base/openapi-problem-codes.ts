/** Lists the problems of OpenAPI documents. */

import type { ProblemDescription } from "./problem-description.ts";

export const openApiProblems = {
  "openapi-syntax": {
    severity: "error",
    title: "OpenAPI document can't be read",
    meaning:
      "The file isn't valid JSON or YAML, or it doesn't contain an object. No pages are generated from it.",
    fix: "Look just before the marked position for a missing comma or quote, or inconsistent indentation.",
  },
  "openapi-version": {
    severity: "error",
    title: "Unsupported OpenAPI version",
    meaning:
      "Octavo supports OpenAPI 3.0 and 3.1, most of 3.2, and Swagger 2.0. No pages are generated from a document with an unsupported or missing version.",
    fix: "Convert the document to OpenAPI 3, and commit the result. If the version is missing, add it at the top of the document.",
  },
  "openapi-invalid": {
    severity: "error",
    title: "Invalid OpenAPI document",
    meaning:
      "Part of the document doesn't match the OpenAPI specification. Pages are generated from the parts that can be read.",
    fix: "Fix the part named in the message. Other OpenAPI tools will probably reject it as well.",
  },
  "openapi-incomplete": {
    severity: "warning",
    title: "Incomplete OpenAPI document",
    meaning:
      "The document lacks something that the OpenAPI specification requires, such as the description of a response, or a value has an unusual format. Pages show the part completely.",
    fix: "Add what the message names. Other OpenAPI tools could reject the document.",
  },
  "openapi-value-type": {
    severity: "warning",
    title: "Value doesn't fit its type",
    meaning:
      "An example, a default, or an enum value doesn't have the type of its schema. In YAML, unquoted values such as `2.0`, `01234`, and `true` aren't strings. Where a string is required, Octavo shows the value as it's written in the document. Enum values that can't be converted aren't shown.",
    fix: "Put strings in quotes, or change the type.",
  },
  "openapi-converted": {
    severity: "warning",
    title: "Swagger 2.0 document",
    meaning:
      "Octavo converts Swagger 2.0 documents to OpenAPI 3.0 at each build. Pages, samples, and the playground use the result. Commas separate the values of lists in lists, of lists with the `collectionFormat` `tsv`, and of lists outside the query with `ssv` or `pipes`, because OpenAPI 3.0 has no equivalent. The message counts these lists.",
    fix: "To remove the warning, convert the document once, for example with `npx swagger2openapi swagger.json -o openapi.json`, and use the result in docs.json.",
  },
  "openapi-overlay": {
    severity: "error",
    title: "Invalid overlay",
    meaning:
      "An overlay in `openapi.overlays` is missing, or one of its actions can't be applied. The other actions are applied. Function extensions of JSONPath, such as `length()` and `match()`, aren't supported.",
    fix: "Fix the path in docs.json, or the action that the message names.",
  },
  "openapi-overlay-target": {
    severity: "warning",
    title: "Overlay without an effect",
    meaning:
      "The target of an action in an overlay selects nothing in the document, or the overlay's `extends` names a different document than the one that docs.json applies it to.",
    fix: "Change the target or `extends`, or remove the action.",
  },
  "openapi-unpublished": {
    severity: "warning",
    title: "API overview that isn't on any page",
    meaning:
      "The navigation lists operations of the document, and no page shows the document's overview. The descriptions of its tags, its contact, license, and terms of service, or the link to its documentation are therefore not on any page.",
    fix: "Create a page with the document in its frontmatter, such as `openapi: openapi.yaml`, and add the page to the navigation.",
  },
  "openapi-unused-invalid": {
    severity: "warning",
    title: "Invalid OpenAPI document that no page uses",
    meaning:
      "The documentation folder contains an invalid OpenAPI document. Nothing on the site refers to the document, so it's only served as a file.",
    fix: "Fix the document. If the document isn't meant for readers, add it to .octavoignore.",
  },
  "openapi-external-ref": {
    severity: "error",
    title: "External $ref",
    meaning:
      "Octavo follows a `$ref` only within the same document. It never fetches a `$ref` to another file or URL, and it leaves out operations that use one. The rest of the document is published.",
    fix: "Bundle the files into a single document, for example with `npx @redocly/cli bundle openapi.yaml -o bundled.yaml`, and use that document in docs.json.",
  },
  "openapi-dead-ref": {
    severity: "error",
    title: "Broken $ref",
    meaning:
      "A `$ref` points to a part that isn't in the document. The referenced part is missing from the page.",
    fix: "Fix the `$ref`, or add the missing part. If a name contains `/` or `~`, write `~1` for `/` and `~0` for `~`.",
  },
  "openapi-webhooks": {
    severity: "error",
    title: "Webhooks in an OpenAPI 3.0 document",
    meaning:
      "The `webhooks` field was added in OpenAPI 3.1. In a 3.0 document, the field is ignored and no pages are generated from it.",
    fix: 'Change the version to `openapi: "3.1.0"` at the top of the document.',
  },
  "openapi-empty": {
    severity: "error",
    title: "OpenAPI document without operations",
    meaning: "Neither `paths` nor `webhooks` contains any operations, so no pages are generated.",
    fix: "Add operations, or remove the document from the navigation.",
  },
  "openapi-limit": {
    severity: "error",
    title: "OpenAPI document too large",
    meaning:
      "The document exceeds a limit: 64 million characters of JSON, 16 million characters of YAML, 200 levels of nesting, or 5 million values. No pages are generated from it.",
    fix: "Split the document, or convert a very large YAML document to JSON.",
  },
  "openapi-operation-id": {
    severity: "warning",
    title: "Duplicate operationId",
    meaning:
      "Two operations have the same operationId. Links and generated API clients use this ID to tell operations apart.",
    fix: "Give each operation a unique operationId.",
  },
  "openapi-path-parameter": {
    severity: "warning",
    title: "Path and path parameters don't match",
    meaning:
      "A `{name}` in the path has no matching parameter, or a path parameter is unused or declared twice.",
    fix: "Declare each `{name}` in the path once, with `in: path` and `required: true`.",
  },
  "openapi-missing": {
    severity: "error",
    title: "OpenAPI document not found",
    meaning:
      "The navigation or a page refers to an OpenAPI document that isn't in the documentation folder. No pages are generated from the document. A page that refers to the document shows only its own content and a note.",
    fix: "Fix the path. Use a path relative to docs.json, or an https URL.",
  },
  "openapi-comma": {
    severity: "warning",
    title: "Comma before a closing bracket",
    meaning:
      "JSON doesn't allow a comma before `]` or `}`. Octavo ignores such commas, but other tools reject the document.",
    fix: "Remove the comma.",
  },
  "openapi-other-document": {
    severity: "warning",
    title: "OpenAPI document found at another path",
    meaning:
      "No OpenAPI document has the path in the navigation or frontmatter. Octavo uses a document whose path is similar, or the only document that has the operation or schema. Other platforms could choose a different document.",
    fix: "Write the path of the document, relative to docs.json.",
  },
  "openapi-fetch": {
    severity: "error",
    title: "OpenAPI document couldn't be fetched",
    meaning:
      "The URL couldn't be fetched, and there is no cached copy. The site is built without the document's pages.",
    fix: "Check that the URL opens on the machine that builds the site. The URL must use HTTPS, be publicly reachable, and not require sign-in. A build fetches up to 100 documents within two minutes. To allow internal hosts and http, set `OCTAVO_OUTBOUND_ALLOW`. To add your own certificate authority, set `NODE_EXTRA_CA_CERTS`.",
  },
  "openapi-stale": {
    severity: "warning",
    title: "OpenAPI document is out of date",
    meaning:
      "The URL couldn't be fetched. Pages are generated from a copy that was cached by an earlier build.",
    fix: "Build again when the URL is available. To avoid depending on the URL, keep the document in your documentation folder.",
  },
  "openapi-operation-missing": {
    severity: "error",
    title: "Operation not found",
    meaning:
      "The navigation or a page's frontmatter refers to an operation or webhook that isn't in the document. A navigation entry for the operation is left out. A page for the operation shows only its own content and a note.",
    fix: "Write the method and path exactly as in the document. The hint suggests a similar path or lists available operations.",
  },
  "openapi-schema-missing": {
    severity: "error",
    title: "Schema not found",
    meaning:
      "`openapi-schema` in the page's frontmatter refers to a schema that isn't in `components.schemas`. The page shows its own content and a note.",
    fix: "Write the schema's key exactly as in the document. If the site has several documents, put the document's path before the key.",
  },
  "openapi-page-operation": {
    severity: "warning",
    title: "Ambiguous operation",
    meaning:
      "Several documents contain this operation or schema, and Octavo uses the first one. Octavo also reports this problem if `openapi` in the frontmatter doesn't contain a method and a path.",
    fix: "Write `<document> METHOD /path`, with enough of the document's path to make it unique.",
  },
  "openapi-hidden-value": {
    severity: "warning",
    title: "x-hidden with a value other than true",
    meaning:
      "`x-hidden` and `x-excluded` hide an operation regardless of their value, so `x-hidden: false` also hides it.",
    fix: "To publish the operation, remove `x-hidden` or `x-excluded`. To keep it hidden, set the key to `true`.",
  },
  "openapi-route-taken": {
    severity: "error",
    title: "Generated page conflicts with a file",
    meaning: "A file and a generated page have the same URL, so the generated page is left out.",
    fix: "Rename the file, or move the generated page with `x-platform: { href: /elsewhere }` on the operation.",
  },
  "openapi-href": {
    severity: "warning",
    title: "Invalid x-platform.href",
    meaning:
      "The operation's `x-platform.href` is neither a path on the site nor a URL, so the page uses its default URL. Octavo also reports this problem if another operation already has this path. In that case, a number is added to the path.",
    fix: "Use a unique path, such as `/payments/create`, or a URL that starts with https://.",
  },
  "openapi-content": {
    severity: "warning",
    title: "Interactive component in an OpenAPI document",
    meaning:
      "The operation's `x-platform.content` contains a component with state or event handlers. Code from an OpenAPI document never runs in the browser, so the component is shown in its initial state.",
    fix: "Create an MDX page with `openapi: METHOD /path` in its frontmatter, and put the component there.",
  },
  "openapi-remote-content": {
    severity: "warning",
    title: "MDX in an OpenAPI document loaded from a URL",
    meaning:
      "The operation's `x-platform.content` uses components or expressions. Because the document is loaded from a URL and isn't part of your repository, its content is treated as plain Markdown and tags are shown as text.",
    fix: "Keep the document in your documentation folder, or create an MDX page with `openapi: METHOD /path` in its frontmatter.",
  },
  "openapi-pill": {
    severity: "warning",
    title: "Invalid field label",
    meaning:
      "`api.params.post` in docs.json lists a schema key whose value is an object or a nested list. A label can only be a string, a number, or `true`.",
    fix: "Use a string, a number, or a list of them, or remove the key from `api.params.post`.",
  },
  "openapi-server": {
    severity: "warning",
    title: "Invalid server URL",
    meaning:
      "A server URL must be an http or https URL, or a path. Other values are shown as text, and the playground can't send requests to these servers.",
    fix: "Fix the server's `url`.",
  },
  "openapi-groups": {
    severity: "error",
    title: "Groups without effect",
    meaning:
      "`groups` is set where it has no effect, so everyone who can read the page sees this part. `groups` has no effect at the top level of the document, on `info`, a tag, a server, or a security scheme, or in the `metadata` of anything other than an operation. A path parameter is removed from the page, but its name is still in the path. Octavo also reports this problem if `x-platform-enum` or `x-mint-enum` contains a value that isn't in the `enum`.",
    fix: "Move `groups` to the path, operation, property, parameter, or variant that you want to restrict. Put `x-platform-enum` or `x-mint-enum` next to its `enum`, with values from that `enum`.",
  },
  "openapi-restricted-keyword": {
    severity: "warning",
    title: "Keyword with a restricted name",
    meaning:
      "A keyword such as `pattern`, `not`, `if`, or `discriminator` names a property or an enum value that `groups` restricts in the same schema. The keyword is left out of pages and of the document for download.",
    fix: "Rewrite the keyword without the restricted name or value, or remove it.",
  },
  "openapi-restricted-reference": {
    severity: "warning",
    title: "Reference to a part of a restricted operation",
    meaning:
      "A `$ref` leads to a part of an operation that has `groups`, and isn't in an operation with the same `groups`. The part with the `$ref` is left out of pages and of the document for download, since it would show what only these groups may read.",
    fix: "Move the shared part to `components`, and refer to it from both operations, or remove the `$ref`.",
  },
  "openapi-security-scheme": {
    severity: "warning",
    title: "Security scheme not found",
    meaning:
      "A `security` requirement names a scheme that isn't in `components.securitySchemes`. Names are case-sensitive. Pages show only the name, and samples and the playground send no credentials for it.",
    fix: "Add the scheme to `components.securitySchemes`, or write its name exactly as it's there.",
  },
  "openapi-ignored-header": {
    severity: "warning",
    title: "Header that OpenAPI ignores",
    meaning:
      "A parameter describes the header `Authorization`, `Accept`, or `Content-Type`, or a response describes the header `Content-Type`. OpenAPI ignores these definitions, so pages leave them out.",
    fix: "Describe `Authorization` as a security scheme, and the other headers as media types in `content`.",
  },
  "openapi-ineffective-keyword": {
    severity: "warning",
    title: "Schema keyword without effect",
    meaning:
      "A keyword of a schema only applies to other types, such as `items` next to `type: string`, or only next to another keyword, such as `then` next to `if`. JSON Schema ignores it. Pages show limits as they're written, and leave out nested schemas. Each kind is reported once. A `$dynamicAnchor` has no effect on more than 500 schemas, or if copies of them would have more than 200,000 values in total.",
    fix: "Remove the keyword, or change the schema's `type`. The limits of a list's items belong in `items`.",
  },
  "openapi-code-sample": {
    severity: "warning",
    title: "Code sample that can't be read",
    meaning:
      "An entry of `x-codeSamples` has no `lang` or no text in `source`, such as a `$ref` to a file, so it's left out.",
    fix: "Add `lang`, and write the code in `source`.",
  },
  "openapi-x-default": {
    severity: "warning",
    title: "x-default isn't a string",
    meaning:
      "The playground prefills a security scheme's `x-default` only if it's a string. Otherwise, the field is left empty.",
    fix: 'Put the value in quotes: `x-default: "12345"`. For `basic`, write `user:password`.',
  },
} as const satisfies Record<string, ProblemDescription>;
