/**
 * All problems that Octavo may report about a documentation folder.
 * Each code has a page under docs/problems; a test compares them.
 */

interface ProblemDescription {
  severity: "error" | "warning";
  /** Title of the code's documentation page. */
  title: string;
  /** Explanation of the problem, and of its effect on the site until it is fixed. */
  meaning: string;
  /** How to fix it. */
  fix: string;
}

const descriptions = {
  // docs.json
  "config-missing": {
    severity: "error",
    title: "No docs.json",
    meaning: "The folder holds no docs.json, so there is no site to build.",
    fix: "Run `octavo init`, or point the command at the folder that holds docs.json.",
  },
  "config-syntax": {
    severity: "error",
    title: "docs.json is not valid JSON",
    meaning: "The text stops being JSON at the marked place. Nothing after it can be read.",
    fix: "Look just before the mark: a missing comma, a trailing comma or an unclosed quote are the usual causes.",
  },
  "config-value": {
    severity: "error",
    title: "A setting has the wrong value",
    meaning: "The value does not have the type or form that the setting takes. The site is built with the setting's default.",
    fix: "Use one of the forms that the message names; the settings reference shows each with an example.",
  },
  "config-required": {
    severity: "error",
    title: "A required setting is missing",
    meaning: "docs.json must say theme, name, colors.primary and navigation. The site is built with stand-ins.",
    fix: "Add the setting that the message names.",
  },
  "config-unknown-key": {
    severity: "warning",
    title: "An unknown setting",
    meaning: "The key means nothing at this place and has no effect.",
    fix: "Check the spelling against the suggestion, or remove the key.",
  },
  "config-sign-in": {
    severity: "warning",
    title: "docs.json asks for sign-in",
    meaning:
      "`auth` and `userAuth` keep a site private on other platforms. Here, sign-in is a setting of the project and docs.json can't turn it on. A project without sign-in refuses to deploy the site, so that it doesn't become public by accident. `octavo build`, `octavo export` and `octavo dev` have no sign-in: anyone who can reach the files can read them.",
    fix: "Set up sign-in for readers in the project's settings, or choose Public there and save. Then deploy again. To publish a static build for everyone, remove the key.",
  },
  "config-ref": {
    severity: "error",
    title: "A $ref in docs.json cannot be followed",
    meaning: "The reference points outside the folder, at no file, at something that is not JSON, or in a circle. It is left empty.",
    fix: "Refer to a .json file inside the folder by a relative path, and break the circle.",
  },
  "config-duplicate": {
    severity: "error",
    title: "The same entry twice",
    meaning: "A list that must not repeat holds an entry twice, for example two redirects from one source. The first one counts.",
    fix: "Remove one of the two.",
  },
  // navigation
  "nav-mixed": {
    severity: "warning",
    title: "Two kinds of navigation at one level",
    meaning: "A level of the navigation holds one kind of children only. One kind was kept and the other left out.",
    fix: "Move one of the two kinds below the other, or into a level of its own.",
  },
  "nav-empty": {
    severity: "error",
    title: "An empty navigation list",
    meaning: "A list of tabs, groups, anchors, versions or languages has no entry.",
    fix: "Add an entry or remove the list.",
  },
  "nav-page-missing": {
    severity: "warning",
    title: "The navigation names a page that does not exist",
    meaning: "No .mdx or .md file stands at the path. The entry is left out of the navigation.",
    fix: "Create the page, or remove or correct the entry.",
  },
  "nav-operation": {
    severity: "error",
    title: "An operation without a document",
    meaning: "The entry has the form METHOD /path, and neither it nor a division above it names an OpenAPI document.",
    fix: 'Write the document before the method (`"openapi.json GET /users"`), or give the group or tab an `openapi`.',
  },
  "nav-operation-case": {
    severity: "warning",
    title: "A method in lower case",
    meaning: "The entry is understood; other platforms that read docs.json want methods in capitals.",
    fix: "Write GET, POST and so on.",
  },
  "nav-openapi-default": {
    severity: "warning",
    title: "A document whose operations are not listed",
    meaning:
      "The division has both `openapi` and `pages`, and no page is one of the document's operations. The document is then only the default for entries; none are generated.",
    fix: "Remove `pages`, list operations as METHOD /path, or move `openapi` to a group of its own.",
  },
  "nav-operation-hidden": {
    severity: "warning",
    title: "An entry for a hidden operation",
    meaning: "The navigation lists an operation that has `x-hidden` or `x-excluded`, so no page is generated and the entry is left out.",
    fix: "Remove the entry, or remove `x-hidden` from the operation.",
  },
  "redirect-loop": {
    severity: "warning",
    title: "A redirect leads back to itself",
    meaning: "Following the redirects from this source never ends. The redirect is left out.",
    fix: "Point it at the page where readers should arrive.",
  },
  "file-renamed": {
    severity: "warning",
    title: "Files with other names in a bundle",
    meaning:
      "Not every file system can store these names: they have a character or a name that Windows reserves, end in a dot or a space, are very long, or differ from another by case only. The bundle has them under the names that the message lists, and links lead there. Octavo's own servers answer at the original URL too.",
    fix: "Nothing has to be done. For other names, rename the file, or set `x-platform: { href: /path }` on the operation.",
  },
  "redirect-source": {
    severity: "warning",
    title: "A redirect source with # or ?",
    meaning:
      "Servers redirect paths. A fragment never reaches a server: when there is a page at the path, its script sends readers on, and otherwise the redirect has no effect. A query has no effect either.",
    fix: "Write the path alone, or put the heading's old id on the page where it is now.",
  },
  "redirect-hides-page": {
    severity: "warning",
    title: "A redirect hides a page",
    meaning: "A redirect has the path of a page in the navigation. Readers are redirected and never see the page.",
    fix: "Remove the redirect, or remove the page from the navigation.",
  },
  // pages
  "frontmatter-syntax": {
    severity: "error",
    title: "The frontmatter is not valid YAML",
    meaning: "The block between the --- lines could not be read as it stands. What could be read line by line is used.",
    fix: "Quote values that hold a colon, a hash or quotes, and keep a value on one line or indent its continuation.",
  },
  "frontmatter-value": {
    severity: "warning",
    title: "A frontmatter value has the wrong type",
    meaning: "The value is not of the type that the key takes, and is ignored.",
    fix: "Use the type that the message names.",
  },
  "mdx-syntax": {
    severity: "error",
    title: "The page is not valid MDX at one place",
    meaning: "The marked characters could not be read as MDX. They are shown as text and the rest of the page is rendered.",
    fix: "Close the tag or the brace; to show `<` or `{` as text, put it in backticks or write `\\<` and `\\{`.",
  },
  "mdx-comment": {
    severity: "warning",
    title: "An HTML comment in MDX",
    meaning: "MDX has no `<!-- -->` comments. The comment is left out of the page.",
    fix: "Write `{/* … */}` instead.",
  },
  "page-too-deep": {
    severity: "error",
    title: "The page is nested too deeply",
    meaning: "Brackets, lists, quotes or tags are nested beyond any readable page. The page shows this problem instead of its text.",
    fix: "Flatten the marked part.",
  },
  "page-too-large": {
    severity: "error",
    title: "The page is too large",
    meaning:
      "The source, or what its snippets and components expand to, is beyond the limit. The page shows this problem instead of its text.",
    fix: "Split the page, or serve the data as a file and link it.",
  },
  "page-crashed": {
    severity: "error",
    title: "The page stopped the build process",
    meaning:
      "While this page was being read the build process ended or stopped responding. The page shows this problem; all others are built.",
    fix: "Remove the part that is nested or repeated to an extreme, and report the page to us.",
  },
  "path-conflict": {
    severity: "warning",
    title: "Two files claim one address",
    meaning: "Two files would be served at the same address, for example a.mdx and a/index.mdx. The first is served.",
    fix: "Rename or remove one of them.",
  },
  "unknown-component": {
    severity: "warning",
    title: "An unknown component",
    meaning: "No component of this name is built in, defined or imported. Its content is shown without it.",
    fix: "Check the spelling, import the component, or write `\\<Name>` when it is meant as text.",
  },
  "component-prop": {
    severity: "warning",
    title: "A component lacks a property that it needs",
    meaning: "The component is shown without it.",
    fix: "Add the property that the message names.",
  },
  "undefined-variable": {
    severity: "warning",
    title: "An undefined variable",
    meaning: "`{{name}}` is not among the variables of docs.json and is shown as it stands.",
    fix: "Define it under `variables` in docs.json, or put the text in backticks if it is meant literally.",
  },
  "missing-snippet": {
    severity: "error",
    title: "A snippet does not exist",
    meaning: "The file that the page includes is not in the folder. Its place stays empty.",
    fix: "Correct the path or add the file.",
  },
  "snippet-circle": {
    severity: "error",
    title: "Snippets include each other in a circle",
    meaning: "Following the includes never ends. The circle is cut at the marked include.",
    fix: "Remove one of the includes of the circle.",
  },
  // author code
  "undefined-name": {
    severity: "warning",
    title: "A brace names something undefined",
    meaning: "`{name}` is an expression in MDX, and nothing of that name exists here. It is shown as text.",
    fix: "Put it in backticks or write `\\{` when it is meant as text; otherwise export or import the name.",
  },
  "expression-failed": {
    severity: "warning",
    title: "An expression could not be worked out",
    meaning: "The expression is outside of what a page may compute. It is shown as text.",
    fix: "Move the computation into a component, or write the result.",
  },
  "component-failed": {
    severity: "error",
    title: "A component of the site failed",
    meaning: "The code of the component threw, ran too long or took too much memory. A note stands in its place.",
    fix: "Run the component with the same properties elsewhere and mend the cause that the message names.",
  },
  "missing-export": {
    severity: "error",
    title: "An import names something that is not exported",
    meaning: "The imported file has no export of that name.",
    fix: "Export it there, or correct the name.",
  },
  "missing-import": {
    severity: "error",
    title: "An imported file does not exist",
    meaning: "The file is not in the folder, or it is a package from elsewhere, which pages cannot import.",
    fix: "Correct the path, or bring the code into the folder.",
  },
  "code-syntax": {
    severity: "error",
    title: "JavaScript that does not parse",
    meaning: "An export, an expression or an imported file is not valid JavaScript.",
    fix: "Correct the code at the marked place.",
  },
  "too-much-work": {
    severity: "error",
    title: "A page asks for too much work",
    meaning: "Components that expand each other exceeded the limit for one page.",
    fix: "Reduce the repetition, or split the page.",
  },
  // content
  "dead-link": {
    severity: "warning",
    title: "A link leads nowhere",
    meaning: "No page, file or redirect stands at the address that the link names.",
    fix: "Correct the address; the hint names the nearest page.",
  },
  "dead-anchor": {
    severity: "warning",
    title: "A link names a heading that does not exist",
    meaning: "The page exists, but nothing on it has this anchor.",
    fix: "Correct the part after the #.",
  },
  "missing-image": {
    severity: "warning",
    title: "An image does not exist",
    meaning: "The file that the page shows is not in the folder.",
    fix: "Add the file or correct the path.",
  },
  "unknown-icon": {
    severity: "warning",
    title: "An unknown icon",
    meaning: "The site's icon library has no icon of this name. Nothing is shown in its place.",
    fix: "Use the suggested name, or change icons.library in docs.json.",
  },
  "formula-failed": {
    severity: "warning",
    title: "A formula could not be read",
    meaning: "The formula has a mistake, has more than 8,000 characters, or its macros expand to too much. Its source is shown instead.",
    fix: "Correct the LaTeX, or split a long formula. For a price or a shell variable, write `\\$`.",
  },
  "diagram-too-large": {
    severity: "warning",
    title: "A large diagram",
    meaning: "The diagram has more than 50,000 characters. Its source is shown instead.",
    fix: "Split the diagram into smaller ones.",
  },
  "file-too-large": {
    severity: "warning",
    title: "A large file",
    meaning: "Files above 20 MB slow down readers and builds. It is served all the same.",
    fix: "Shrink it or host it elsewhere.",
  },
  "unsafe-path": {
    severity: "warning",
    title: "A file that cannot be served",
    meaning: "The path is a link that leads out of the folder, or holds characters that no address can carry. It is left out.",
    fix: "Replace the link by the file itself, or rename the file.",
  },
  "source-skipped": {
    severity: "warning",
    title: "A file of the repository was left out",
    meaning:
      "A deployment takes plain files from a repository. Symbolic links, submodules, files that lie in Git LFS, files above 25 MB and names that no address can carry are left out.",
    fix: "Replace the link or the pointer by the file itself, or rename the file.",
  },
  "font-unavailable": {
    severity: "warning",
    title: "A font is not available",
    meaning: "The family does not come with Octavo and no source is given, so readers see their system's font.",
    fix: "Put a .woff2 file into the folder and name it as fonts.source with fonts.format.",
  },
  // OpenAPI documents
  "openapi-syntax": {
    severity: "error",
    title: "An OpenAPI document that cannot be read",
    meaning: "The text is neither JSON nor YAML. None of its pages can be made.",
    fix: "Look just before the marked place: a missing comma or quote, or indentation that changes.",
  },
  "openapi-version": {
    severity: "error",
    title: "A version of OpenAPI that is not read",
    meaning: "Octavo reads OpenAPI 3.0 and 3.1, and 3.2 as far as it is 3.1. Swagger 2.0 has other rules for bodies, servers and security.",
    fix: "Convert the document once, for example with `npx swagger2openapi old.yaml -o openapi.yaml`, and keep the result.",
  },
  "openapi-invalid": {
    severity: "error",
    title: "The document breaks a rule of OpenAPI",
    meaning:
      "The named part does not have the form that the specification gives it. The pages are made all the same, with what can be understood.",
    fix: "Correct the part that the message names. Other tools that read the document will stumble over it, too.",
  },
  "openapi-unused-invalid": {
    severity: "warning",
    title: "A broken OpenAPI document that no page uses",
    meaning: "The folder holds a document that looks like OpenAPI and is not valid. Nothing refers to it; it is served as a file.",
    fix: "Correct it, or list it in .octavoignore when it is not meant for readers.",
  },
  "openapi-external-ref": {
    severity: "error",
    title: "An external $ref",
    meaning:
      "Octavo follows a `$ref` inside one document only. A `$ref` to another file or URL is never fetched, and the operations that use it are left out. The rest of the document is published.",
    fix: "Join the files into one, for example with `npx @redocly/cli bundle openapi.yaml -o bundled.yaml`, and name the result in docs.json.",
  },
  "openapi-dead-ref": {
    severity: "error",
    title: "A reference that leads nowhere",
    meaning: "A `$ref` names a part that the document does not have. What refers to it is shown without it.",
    fix: "Correct the reference, or declare the missing part. Mind that `/` in a name is written `~1` and `~` is written `~0`.",
  },
  "openapi-webhooks": {
    severity: "error",
    title: "Webhooks in a document of version 3.0",
    meaning: "The field `webhooks` was added in OpenAPI 3.1. In a 3.0 document it is ignored, and no pages are generated from it.",
    fix: 'Change the version to `openapi: "3.1.0"` at the top of the document.',
  },
  "openapi-empty": {
    severity: "error",
    title: "A document without operations",
    meaning: "Neither `paths` nor `webhooks` holds an operation, so there is no page to make.",
    fix: "Add the paths, or take the document out of the navigation.",
  },
  "openapi-limit": {
    severity: "error",
    title: "A document beyond the limits",
    meaning:
      "The document is larger or nested deeper than a build will read: 64 million characters of JSON, 16 million of YAML, 200 levels, 5 million values.",
    fix: "Split the document by product, or turn a very large YAML document into JSON.",
  },
  "openapi-operation-id": {
    severity: "warning",
    title: "An operationId that is used twice",
    meaning: "Links between operations and generated clients tell operations apart by their operationId.",
    fix: "Give each operation a name of its own.",
  },
  "openapi-path-parameter": {
    severity: "warning",
    title: "Path and path parameters do not agree",
    meaning: "A name in braces has no parameter, a parameter has no place in the path, or it is declared twice.",
    fix: "Declare each `{name}` of the path once, with `in: path` and `required: true`.",
  },
  "openapi-missing": {
    severity: "error",
    title: "An OpenAPI document that does not exist",
    meaning: "The navigation or a page names a document that the folder does not hold.",
    fix: "Correct the path. It counts from the folder of docs.json, or is an https address.",
  },
  "openapi-fetch": {
    severity: "error",
    title: "An OpenAPI document could not be fetched",
    meaning: "The address did not answer with a document in time, and there is no copy of an earlier build. Its pages are missing.",
    fix: "Open the URL from the machine that builds. It must answer without a login, be public and use https. `OCTAVO_OUTBOUND_ALLOW` allows internal hosts and http, and `NODE_EXTRA_CA_CERTS` your own certificate authority.",
  },
  "openapi-stale": {
    severity: "warning",
    title: "An OpenAPI document is shown as it was",
    meaning: "The address did not answer this time. The pages are made from the copy of the last build that could fetch it.",
    fix: "Build again when the address answers. To be sure of a document, keep a copy in the folder.",
  },
  "openapi-operation-missing": {
    severity: "error",
    title: "An operation that the document does not have",
    meaning:
      "The navigation or the frontmatter of a page names a method and path, or a webhook, that is not in the document. The entry is left out; the page shows its own text and a note.",
    fix: "Write the path and method exactly as in the document; the message lists what is there.",
  },
  "openapi-schema-missing": {
    severity: "error",
    title: "A schema that the document does not have",
    meaning:
      "The `openapi-schema` of the page's frontmatter names a schema that is not in `components.schemas`. The page shows its own text and a note.",
    fix: "Write the key of the schema exactly as in the document, with the path of the document before it when there are several.",
  },
  "openapi-page-operation": {
    severity: "warning",
    title: "An operation that several documents have",
    meaning:
      "The operation or schema is in several documents, and the first is used. Or the `openapi` of the frontmatter is not a method and a path.",
    fix: "Write `<document> METHOD /path`, with enough of the document's path to tell it from the others.",
  },
  "openapi-hidden-value": {
    severity: "warning",
    title: "x-hidden with a value other than true",
    meaning: "`x-hidden` and `x-excluded` hide an operation whatever their value is, so `x-hidden: false` hides it too.",
    fix: "Write `x-hidden: true`, or remove the key to publish the operation.",
  },
  "openapi-route-taken": {
    severity: "error",
    title: "Two pages for one address",
    meaning: "A page of the folder and a generated one would have the same address. The page of the folder is kept.",
    fix: "Rename the file, or move the generated page with `x-platform: { href: /elsewhere }` on the operation.",
  },
  "openapi-href": {
    severity: "warning",
    title: "An href that the page cannot have",
    meaning:
      "The `x-platform.href` of an operation is neither a path of the site nor a URL, and the page gets its default URL. Or another page already has this path, and a number is added to it.",
    fix: "Write a path that no other page has, such as `/payments/create`, or a URL that begins with https://.",
  },
  "openapi-content": {
    severity: "warning",
    title: "Live components in an OpenAPI document",
    meaning:
      "The `x-platform.content` of an operation holds a component with state or events. What a document brings along never runs in the reader's browser; the component is shown as it starts.",
    fix: "Write the page as an MDX file with `openapi: METHOD /path` in its frontmatter, and put the component there.",
  },
  "openapi-remote-content": {
    severity: "warning",
    title: "MDX in an OpenAPI document by URL",
    meaning:
      "The `x-platform.content` of an operation uses components or expressions. A document by URL is not part of your repository, so its content is read as Markdown and the tags are shown as text.",
    fix: "Keep the document in the repository, or write the page as an MDX file with `openapi: METHOD /path` in its frontmatter.",
  },
  "openapi-pill": {
    severity: "warning",
    title: "A label that cannot be shown",
    meaning:
      "`api.params.post` of docs.json names a schema key whose value is an object or a nested list. Only text, numbers and `true` become labels.",
    fix: "Give the key a text, a number or a list of them, or remove it from `api.params.post`.",
  },
  "openapi-server": {
    severity: "warning",
    title: "A server address that requests cannot go to",
    meaning: "Servers are addresses with http or https, or paths. Others are shown as text, and the playground cannot send.",
    fix: "Correct the `url` of the server.",
  },
  "openapi-groups": {
    severity: "error",
    title: "Groups that restrict nothing",
    meaning:
      "A part of an OpenAPI document names `groups` of readers where they have no effect: at the whole document, `info`, a tag, a server, a security scheme or in the `metadata` of something that is not an operation, or an enum map names a value that the `enum` beside it doesn't have. Everyone who may read the page sees this part.",
    fix: "Move `groups` to the path, the operation, the property, the parameter or the variant that only some readers may see. Write the enum map next to the `enum`, with the values as they are listed.",
  },
  "openapi-x-default": {
    severity: "warning",
    title: "x-default of a security scheme isn't a string",
    meaning: "The playground fills in the `x-default` of a security scheme only if it is a string. Its input starts empty.",
    fix: 'Put the value in quotes: `x-default: "12345"`. For `basic`, write `user:password`.',
  },
} as const satisfies Record<string, ProblemDescription>;

export type ProblemCode = keyof typeof descriptions;

export const problemCodes: Readonly<Record<ProblemCode, ProblemDescription>> = descriptions;
