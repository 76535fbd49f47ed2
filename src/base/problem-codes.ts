/**
 * Lists all problems that Octavo can report about a documentation folder. Each code has a page under docs/problems. A test compares the
 * pages with this file.
 */

interface ProblemDescription {
  severity: "error" | "warning";
  /** Title of the code's documentation page. */
  title: string;
  /** Explanation of the problem, and of its effect on the site until the problem is fixed. */
  meaning: string;
  /** How to fix the problem. */
  fix: string;
}

const descriptions = {
  // docs.json
  "config-missing": {
    severity: "error",
    title: "No docs.json",
    meaning: "The documentation folder has no docs.json. Deployments fail. Local builds use default settings and have no navigation.",
    fix: "Run `octavo init` to create one, or run your command in the folder that contains docs.json. For deployments from Git, set the project's folder to that folder.",
  },
  "config-mint": {
    severity: "warning",
    title: "Settings in mint.json",
    meaning:
      "The documentation folder has no docs.json, so Octavo reads mint.json, which is an older format. Some of its keys have no equivalent.",
    fix: "Run `octavo import-site` to convert the folder, or write a docs.json.",
  },
  "config-syntax": {
    severity: "error",
    title: "docs.json isn't valid JSON",
    meaning:
      "The JSON is invalid at the marked position, so Octavo can't read the file. Deployments fail. If the file is docs.json itself, local builds use default settings and have no navigation.",
    fix: "Look just before the marked position. The usual cause is a missing comma, a trailing comma or an unclosed quote.",
  },
  "config-value": {
    severity: "error",
    title: "Invalid setting",
    meaning:
      "The value has the wrong type or format, so it's ignored. If the setting has a default value, Octavo uses that value. Invalid entries of lists are left out.",
    fix: "Use a value in the format that the message describes. The settings reference lists the type of each setting.",
  },
  "config-required": {
    severity: "error",
    title: "Missing required setting",
    meaning:
      "`docs.json` must set `theme`, `name`, `colors.primary` and `navigation`. If one of them is missing, the site is built with a default value. Some entries, such as groups and links, also have required keys. Entries without these keys may be missing from the site.",
    fix: "Add the setting named in the message.",
  },
  "config-unknown-key": {
    severity: "warning",
    title: "Unknown setting",
    meaning: "Octavo doesn't support this key here, so it has no effect.",
    fix: "Check the spelling, or remove the key.",
  },
  "config-sign-in": {
    severity: "warning",
    title: "Sign-in in docs.json has no effect",
    meaning:
      "On other platforms, `auth` and `userAuth` make a site private. In Octavo, sign-in is a project setting, and docs.json can't turn it on. To keep the site from becoming public by accident, deployments fail until you choose a sign-in setting. `octavo build`, `octavo export` and `octavo dev` don't support sign-in, so anyone who can access the files can read them.",
    fix: "In the project's settings, set up sign-in or choose Public, and save. Then deploy again. To publish a static build for everyone, remove the key.",
  },
  "config-ref": {
    severity: "error",
    title: "Invalid $ref in docs.json",
    meaning:
      "The `$ref` is circular, or it doesn't point to a JSON file inside the documentation folder. The `$ref` is ignored, and only the keys next to it are used.",
    fix: "Use a relative path to a .json file inside the documentation folder, and remove circular references.",
  },
  "config-duplicate": {
    severity: "error",
    title: "Duplicate entry",
    meaning: "An entry appears twice in a list, such as two redirects with the same source. Octavo uses only the first entry.",
    fix: "Remove one of the entries.",
  },
  // navigation
  "nav-mixed": {
    severity: "warning",
    title: "Mixed navigation types",
    meaning:
      "A navigation level can have only one type of child, such as tabs or groups. Octavo uses one of the types and ignores the others.",
    fix: "Nest one type inside the other.",
  },
  "nav-empty": {
    severity: "error",
    title: "Empty navigation list",
    meaning: "A list of tabs, groups or other navigation levels has no entries, so the site shows nothing for that list.",
    fix: "Add an entry or remove the list.",
  },
  "nav-page-missing": {
    severity: "warning",
    title: "Page not found",
    meaning: "The navigation lists a page, but there is no .mdx or .md file at its path. The entry is left out.",
    fix: "Create the page, or fix or remove the entry.",
  },
  "nav-operation": {
    severity: "error",
    title: "Operation without an OpenAPI document",
    meaning:
      "The entry has the form `METHOD /path`, but neither the entry nor any level above it specifies an OpenAPI document. The entry is left out.",
    fix: 'Put the document before the method (`"openapi.json GET /users"`), or set `openapi` on the group or tab.',
  },
  "nav-operation-case": {
    severity: "warning",
    title: "Lowercase HTTP method",
    meaning: "The entry works in Octavo, but other platforms that read docs.json require uppercase methods.",
    fix: "Use uppercase: GET, POST and so on.",
  },
  "nav-openapi-default": {
    severity: "warning",
    title: "OpenAPI document without listed operations",
    meaning:
      "A navigation level sets both `openapi` and `pages`, but none of the pages is an operation from the document. The document is used only as the default for entries such as `GET /users`, so no pages are generated from it.",
    fix: "Remove `pages`, list operations in it as `METHOD /path`, or move `openapi` to a separate group.",
  },
  "nav-operation-hidden": {
    severity: "warning",
    title: "Hidden operation in the navigation",
    meaning: "The navigation lists an operation with `x-hidden` or `x-excluded`. Hidden operations have no page, so the entry is left out.",
    fix: "Remove the entry, or remove `x-hidden` or `x-excluded` from the operation.",
  },
  "redirect-loop": {
    severity: "warning",
    title: "Redirect loop",
    meaning: "The redirects that start at this source form a loop, so this redirect is left out.",
    fix: "Change the destination to a path that isn't redirected.",
  },
  "file-renamed": {
    severity: "warning",
    title: "Files renamed in a bundle",
    meaning:
      "Some file systems can't store these file names. The names contain characters that Windows doesn't allow, are reserved on Windows, end in a dot or a space, are very long, or differ from another name only by case. The bundle uses the names in the message instead, and links point to these names. Octavo's servers also respond at the original URLs.",
    fix: "No action is required. To choose the names yourself, rename the file, or set `x-platform: { href: /path }` on the operation.",
  },
  "redirect-source": {
    severity: "warning",
    title: "Redirect source with # or ?",
    meaning:
      "Redirects match only paths. Browsers don't send fragments to servers, so a source with a fragment works only if there's a page at that path. That page's script then redirects the reader. A source with a query string has no effect.",
    fix: "Use only the path, or add the heading's old ID to the page that now contains the heading.",
  },
  "redirect-hides-page": {
    severity: "warning",
    title: "Redirect from the path of a page",
    meaning: "There is a page at the redirect's source. Readers see the page, so the redirect has no effect.",
    fix: "Remove the redirect. To redirect readers instead, remove or rename the page.",
  },
  // pages
  "frontmatter-syntax": {
    severity: "error",
    title: "Invalid frontmatter",
    meaning: "The block between the --- lines isn't valid YAML. Octavo still uses any lines that are valid on their own.",
    fix: "Quote values that contain a colon, a hash sign or quotes. Keep each value on one line, or indent its continuation.",
  },
  "unknown-access-rule": {
    severity: "error",
    title: "Unknown access rule",
    meaning:
      "The frontmatter or a navigation level has a key that restricts access on other platforms, or `public` has an invalid value. Octavo doesn't know the rule, so it doesn't show the pages to anyone. With an invalid `public`, only signed-in readers can see them.",
    fix: "Use `groups` or `public` in the frontmatter, or `public` in the navigation. If the key isn't an access rule, rename or remove it.",
  },
  "unknown-audience": {
    severity: "error",
    title: "Unknown audience",
    meaning: "The `for` prop of a `<Visibility>` component is missing or unknown, so its content is shown to no one.",
    fix: 'Set `for` to `"humans"`, `"agents"`, `"signed-in"`, `"signed-out"` or `{{ groups: ["staff"] }}`.',
  },
  "frontmatter-value": {
    severity: "warning",
    title: "Invalid frontmatter value",
    meaning:
      "The value isn't valid for this key and is ignored. If the key is `groups`, no one can see the page, unless the page also has `public: true`.",
    fix: "Use a value that matches the description in the message.",
  },
  "mdx-syntax": {
    severity: "error",
    title: "Invalid MDX",
    meaning: "The marked text isn't valid MDX. It's shown as plain text, and the rest of the page is rendered normally.",
    fix: "Close the tag or brace. To show a literal `<` or `{`, put it in backticks or write `\\<` or `\\{`.",
  },
  "no-effect": {
    severity: "warning",
    title: "No effect",
    meaning: "Octavo accepts this setting, frontmatter key, component or prop because other platforms have it, but it has no effect.",
    fix: "Remove it, or do what the hint suggests.",
  },
  "mdx-repaired": {
    severity: "warning",
    title: "Syntax that other MDX tools reject",
    meaning: "The text isn't valid MDX, but Octavo shows what it means. Other tools that read MDX may reject the page.",
    fix: "Write the text in the form that the hint shows.",
  },
  "table-cells": {
    severity: "warning",
    title: "Too many cells in a table row",
    meaning:
      "A row of a table has more cells than the table's header, or a tag starts in one cell and ends in another. Usually, the text of a cell contains a pipe, which ends the cell, also in code.",
    fix: "Write `\\|` for each pipe in the text of a cell.",
  },
  "undefined-footnote": {
    severity: "warning",
    title: "Footnote not defined",
    meaning: "The text refers to a footnote that the page doesn't define, so the reference is shown as text.",
    fix: "Define the footnote with a line such as `[^name]: Text`, or write `\\[^name]` to show it as text.",
  },
  "mdx-comment": {
    severity: "warning",
    title: "HTML comment in MDX",
    meaning: "MDX doesn't support `<!-- -->` comments. The comment is removed from the page.",
    fix: "Write `{/* … */}` instead.",
  },
  "page-too-deep": {
    severity: "error",
    title: "Page nested too deeply",
    meaning: "Brackets, lists, quotes or tags are nested too deeply. The page shows this problem instead of its content.",
    fix: "Reduce the nesting in the marked part.",
  },
  "page-too-large": {
    severity: "error",
    title: "Page too large",
    meaning:
      "The source of the page has more than 4,000,000 characters, or the page has more than 200,000 elements, including its snippets and components. The page shows this problem instead of its content. A snippet that is too large is left out.",
    fix: "Split the page, or move large amounts of data to a file and link to it.",
  },
  "page-crashed": {
    severity: "error",
    title: "Page crashed the build process",
    meaning:
      "This page couldn't be rendered, or the build process crashed or stopped responding while it compiled the page. The page shows this problem instead of its content. All other pages are built.",
    fix: "Simplify any parts of the page that are deeply nested or repeated many times, and report the crash as a bug.",
  },
  "path-conflict": {
    severity: "warning",
    title: "Conflicting paths",
    meaning:
      "Two files have the same URL, for example a.mdx and a/index.mdx. Only one of them is served: the file that the navigation lists, such as `a/index`, or else the file whose path sorts first.",
    fix: "Rename or remove one of the files.",
  },
  "unknown-component": {
    severity: "warning",
    title: "Unknown component",
    meaning: "No built-in, imported or locally defined component has this name. Only its children are shown.",
    fix: "Check the spelling, import the component, or write `\\<Name>` to show it as text.",
  },
  "component-prop": {
    severity: "warning",
    title: "Missing component prop",
    meaning: "A component is missing a required prop. The component is shown without the prop.",
    fix: "Add the prop named in the message.",
  },
  "undefined-variable": {
    severity: "warning",
    title: "Undefined variable",
    meaning: "`{{name}}` isn't defined in `variables` in docs.json and is shown as text.",
    fix: "Define the variable under `variables` in docs.json, or put literal text in backticks.",
  },
  "missing-snippet": {
    severity: "error",
    title: "Snippet not found",
    meaning: "The included file isn't in the documentation folder. The page is shown without the file's content.",
    fix: "Fix the path or add the file.",
  },
  "snippet-circle": {
    severity: "error",
    title: "Circular snippets",
    meaning: "The snippets include each other in a loop. The marked include is skipped.",
    fix: "Remove one of the includes in the loop.",
  },
  // author code
  "undefined-name": {
    severity: "warning",
    title: "Undefined name in an expression",
    meaning: "In MDX, `{name}` is an expression, and this name isn't defined. The expression is shown as text.",
    fix: "To show the braces as text, put them in backticks or write `\\{`. To use a value, export or import the name.",
  },
  "expression-failed": {
    severity: "warning",
    title: "Expression failed",
    meaning: "The expression threw an error or uses a JavaScript feature that isn't available in pages. The expression is shown as text.",
    fix: "Move the code into a component, or replace the expression with its result.",
  },
  "component-failed": {
    severity: "error",
    title: "Component failed",
    meaning: "The component threw an error, ran too long or used too much memory. A placeholder is shown instead.",
    fix: "Fix the error in the message. To reproduce the error, run the component with the same props outside Octavo.",
  },
  "package-import": {
    severity: "warning",
    title: "Import from a package",
    meaning:
      "Packages can't be imported, except React and Preact, so the import is ignored. A name that Octavo has itself, such as `Card`, is the built-in component. The content of other components is shown without the component.",
    fix: "Remove the import of built-in components. Copy the code of other components into the documentation folder, and import it from there.",
  },
  "missing-export": {
    severity: "error",
    title: "Missing export",
    meaning: "The imported file has no export with this name. A placeholder is shown where the name is used.",
    fix: "Add the export, or fix the name in the import.",
  },
  "missing-import": {
    severity: "error",
    title: "Imported file not found",
    meaning:
      "The imported file isn't in the documentation folder, or the import is a package. Pages can't import packages, except React and Preact.",
    fix: "Fix the path, or copy the code into your documentation folder.",
  },
  "code-syntax": {
    severity: "error",
    title: "Invalid JavaScript",
    meaning: "An export, expression or imported file isn't valid JavaScript, so its code doesn't run.",
    fix: "Fix the code at the marked position.",
  },
  "too-much-work": {
    severity: "error",
    title: "Page expands too much",
    meaning: "The components or snippets on this page expand to more content than a page can contain. Some of its content is missing.",
    fix: "Reduce the repetition, or split the page.",
  },
  // content
  "dead-link": {
    severity: "warning",
    title: "Broken link",
    meaning: "There is no page, file or redirect at the link's path.",
    fix: "Fix the link. If there is a page with a similar path, the hint suggests it.",
  },
  "dead-anchor": {
    severity: "warning",
    title: "Broken anchor link",
    meaning: "The page exists, but it has no heading or element with this anchor.",
    fix: "Fix the part after the #.",
  },
  "missing-image": {
    severity: "warning",
    title: "Image not found",
    meaning: "The image file isn't in the documentation folder.",
    fix: "Add the file or fix the path.",
  },
  "unknown-icon": {
    severity: "warning",
    title: "Unknown icon",
    meaning: "None of the icon libraries has an icon with this name, or the value isn't a valid icon. No icon is shown.",
    fix: "Use the name of an icon in one of the libraries, the path or URL of an image, or an `<svg>` element.",
  },
  "formula-failed": {
    severity: "warning",
    title: "Invalid formula",
    meaning:
      "The formula isn't valid LaTeX, is longer than 8,000 characters, or has macros that expand too much. The LaTeX source is shown instead.",
    fix: "Fix the LaTeX, or split a long formula. To show a price or a shell variable, write `\\$`.",
  },
  "diagram-too-large": {
    severity: "warning",
    title: "Diagram too large",
    meaning: "The diagram is longer than 50,000 characters. Its source is shown instead.",
    fix: "Split the diagram into smaller ones.",
  },
  "script-not-loaded": {
    severity: "warning",
    title: "Script not loaded",
    meaning:
      "Pages load the scripts in the documentation folder. This one can't run in a browser, because it's a module, uses `require`, or is a command-line program. It's still served as a file.",
    fix: 'Exclude the script in `.octavoignore`. To load a module, import it from a page or use `<script type="module" src="…">`.',
  },
  "file-too-large": {
    severity: "warning",
    title: "Large file",
    meaning: "Files larger than 20 MB slow down builds and page loads. The file is still served.",
    fix: "Make the file smaller, or host it elsewhere.",
  },
  "unsafe-path": {
    severity: "warning",
    title: "File can't be served",
    meaning:
      "The file is a symbolic link that doesn't point to a file in the documentation folder, its name contains characters that URLs don't support, or it's in the reserved folder `_octavo`. The file is left out.",
    fix: "Replace the link with the file, or rename or move the file.",
  },
  "source-skipped": {
    severity: "warning",
    title: "Repository file skipped",
    meaning:
      "Deployments use only regular files from the repository. Submodules, Git LFS files, symbolic links to anything but a file in the folder, files larger than 25 MB and files whose names contain characters that URLs don't support are skipped.",
    fix: "Replace the link or LFS pointer with the actual file, or rename the file.",
  },
  "font-unavailable": {
    severity: "warning",
    title: "Font not available",
    meaning:
      "The font file wasn't found, or no file is set and Octavo doesn't include the font family. Readers who don't have the font installed see the font of the theme.",
    fix: "Add a .woff2 file to your documentation folder and set fonts.source and fonts.format.",
  },
  // OpenAPI documents
  "openapi-syntax": {
    severity: "error",
    title: "OpenAPI document can't be read",
    meaning: "The file isn't valid JSON or YAML, or it doesn't contain an object. No pages are generated from it.",
    fix: "Look just before the marked position for a missing comma or quote, or inconsistent indentation.",
  },
  "openapi-version": {
    severity: "error",
    title: "Unsupported OpenAPI version",
    meaning:
      "Octavo supports OpenAPI 3.0, 3.1 and the parts of 3.2 that are the same as in 3.1. It doesn't support Swagger 2.0. No pages are generated from a document with an unsupported or missing version.",
    fix: "Convert the document to OpenAPI 3, for example with `npx swagger2openapi old.yaml -o openapi.yaml`, and commit the result. If the version is missing, add it at the top of the document.",
  },
  "openapi-invalid": {
    severity: "error",
    title: "Invalid OpenAPI document",
    meaning: "Part of the document doesn't match the OpenAPI specification. Pages are generated from the parts that can be read.",
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
      "An example, a default or an enum value doesn't have the type of its schema. In YAML, unquoted values such as `2.0`, `01234` and `true` aren't strings. Where a string is required, Octavo shows the value as it's written in the document. Enum values that can't be converted aren't shown.",
    fix: "Put strings in quotes, or change the type.",
  },
  "openapi-unpublished": {
    severity: "warning",
    title: "Texts of an API that aren't on any page",
    meaning:
      "Reference pages show operations and schemas. The texts about the whole API (in `info` and `externalDocs`) and the descriptions of its tags aren't on any page, and readers can't search for them. They're only in the document that readers can download.",
    fix: "Copy the texts that readers need to a page, such as an introduction in the same tab.",
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
    meaning: "A `$ref` points to a part that isn't in the document. The referenced part is missing from the page.",
    fix: "Fix the `$ref`, or add the missing part. If a name contains `/` or `~`, write `~1` for `/` and `~0` for `~`.",
  },
  "openapi-webhooks": {
    severity: "error",
    title: "Webhooks in an OpenAPI 3.0 document",
    meaning: "The `webhooks` field was added in OpenAPI 3.1. In a 3.0 document, the field is ignored and no pages are generated from it.",
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
    meaning: "Two operations have the same operationId. Links and generated API clients use this ID to tell operations apart.",
    fix: "Give each operation a unique operationId.",
  },
  "openapi-path-parameter": {
    severity: "warning",
    title: "Path and path parameters don't match",
    meaning: "A `{name}` in the path has no matching parameter, or a path parameter is unused or declared twice.",
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
    meaning: "JSON doesn't allow a comma before `]` or `}`. Octavo ignores such commas, but other tools reject the document.",
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
    meaning: "The URL couldn't be fetched, and there is no cached copy. The site is built without the document's pages.",
    fix: "Check that the URL opens on the machine that builds the site. It must be public, use https and not require sign-in. To allow internal hosts and http, set `OCTAVO_OUTBOUND_ALLOW`. To add your own certificate authority, set `NODE_EXTRA_CA_CERTS`.",
  },
  "openapi-stale": {
    severity: "warning",
    title: "OpenAPI document is out of date",
    meaning: "The URL couldn't be fetched. Pages are generated from a copy that was cached by an earlier build.",
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
    meaning: "`x-hidden` and `x-excluded` hide an operation regardless of their value, so `x-hidden: false` also hides it.",
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
      "`api.params.post` in docs.json lists a schema key whose value is an object or a nested list. A label can only be a string, a number or `true`.",
    fix: "Use a string, a number or a list of them, or remove the key from `api.params.post`.",
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
      "`groups` is set where it has no effect, so everyone who can read the page sees this part. `groups` has no effect at the top level of the document, on `info`, a tag, a server or a security scheme, or in the `metadata` of anything other than an operation. Octavo also reports this problem if `x-platform-enum` or `x-mint-enum` contains a value that isn't in the `enum`.",
    fix: "Move `groups` to the path, operation, property, parameter or variant that you want to restrict. Put `x-platform-enum` or `x-mint-enum` next to its `enum`, with values from that `enum`.",
  },
  "openapi-x-default": {
    severity: "warning",
    title: "x-default isn't a string",
    meaning: "The playground prefills a security scheme's `x-default` only if it's a string. Otherwise, the field is left empty.",
    fix: 'Put the value in quotes: `x-default: "12345"`. For `basic`, write `user:password`.',
  },

  // octavo import-site
  "import-left-out": {
    severity: "warning",
    title: "Part of a site wasn't imported",
    meaning:
      "`octavo import-site` found something in the old site that has no equivalent, or that can't be read without running the site's code. The rest of the site is imported.",
    fix: "Follow the hint in the message. The migration guides list Octavo's equivalents.",
  },
} as const satisfies Record<string, ProblemDescription>;

export type ProblemCode = keyof typeof descriptions;

export const problemCodes: Readonly<Record<ProblemCode, ProblemDescription>> = descriptions;
