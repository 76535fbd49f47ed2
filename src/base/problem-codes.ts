/**
 * Lists all problems that Octavo can report about a documentation folder. Each code has a page under
 * docs/problems. A test compares the pages with this file.
 */

import { openApiProblems } from "./openapi-problem-codes.ts";
import type { ProblemDescription } from "./problem-description.ts";

const descriptions = {
  // docs.json
  "config-missing": {
    severity: "error",
    title: "No docs.json",
    meaning:
      "The documentation folder has no docs.json. Deployments fail. Local builds use default settings and have no navigation.",
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
    fix: "Look just before the marked position. The usual cause is a missing comma, a trailing comma, or an unclosed quote.",
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
      "`docs.json` must set `theme`, `name`, `colors.primary`, and `navigation`. If one of them is missing, the site is built with a default value. Some entries, such as groups and links, also have required keys. Entries without these keys may be missing from the site.",
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
      "On other platforms, `auth` and `userAuth` make a site private. In Octavo, sign-in is a project setting, and docs.json can't turn it on. To keep the site from becoming public by accident, deployments fail until you choose a sign-in setting. `octavo build`, `octavo export`, and `octavo dev` don't support sign-in, so anyone who can access the files can read them.",
    fix: "In the project's settings, set up sign-in or choose Public, and save. Then deploy again. To publish a static build for everyone, remove the key.",
  },
  "config-ref": {
    severity: "error",
    title: "Invalid $ref in docs.json",
    meaning:
      "The `$ref` is circular, it doesn't point to a JSON file inside the documentation folder, or a limit is reached: files can be included 10,000 times and through 20 other files, with a total of 10,000,000 characters. A file counts each time it is included. The `$ref` is ignored, and only the keys next to it are used. Above the limits on the number and the characters, the remaining `$ref`s are also ignored.",
    fix: "Use a relative path to a .json file inside the documentation folder, remove circular references, and include each file once.",
  },
  "config-duplicate": {
    severity: "error",
    title: "Duplicate entry",
    meaning:
      "An entry appears twice in a list, such as two redirects with the same source. Octavo uses only the first entry.",
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
    meaning:
      "A list of tabs, groups, or other navigation levels has no entries, so the site shows nothing for that list.",
    fix: "Add an entry or remove the list.",
  },
  "nav-page-missing": {
    severity: "warning",
    title: "Page not found",
    meaning:
      "The navigation lists a page, but there is no .mdx or .md file at its path. The entry is left out.",
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
    fix: "Use uppercase: GET, POST, and so on.",
  },
  "nav-openapi-default": {
    severity: "warning",
    title: "OpenAPI document that no level uses",
    meaning:
      "A navigation level sets `openapi` and contains levels such as tabs or dropdowns, which have their own pages and don't list operations. The document is used only as the default for entries such as `GET /users`, so no pages are generated from it.",
    fix: "Move `openapi` to one of the tabs or dropdowns, or to a group in it.",
  },
  "nav-operation-hidden": {
    severity: "warning",
    title: "Hidden operation in the navigation",
    meaning:
      "The navigation lists an operation with `x-hidden` or `x-excluded`. Hidden operations have no page, so the entry is left out.",
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
  "redirect-limit": {
    severity: "error",
    title: "Too many redirects, or a redirect that is too long",
    meaning:
      "A site can have 10,000 redirects with a total of 2,000,000 characters. Of these, 2,000 can have a wildcard, and 500 can have more than one. A source can have 1,000 characters and 3 wildcards, and a destination can have 2,000 characters and 10 wildcards. Redirects above these limits have no effect.",
    fix: "Combine redirects of the same kind into one with a wildcard, such as `/old/:slug*`, and remove redirects that readers no longer use.",
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
    meaning:
      "The block between the --- lines isn't valid YAML. Octavo still uses any lines that are valid on their own.",
    fix: "Quote values that contain a colon, a hash sign, or quotes. Keep each value on one line, or indent its continuation.",
  },
  "unknown-access-rule": {
    severity: "error",
    title: "Unknown access rule",
    meaning:
      "The frontmatter, a navigation level, or `x-platform` of an operation or of a part of it has a key that restricts access on other platforms, or `public` has an invalid value. Octavo doesn't know the rule, so it doesn't show the pages or the part to anyone. With an invalid `public`, only signed-in readers can see them.",
    fix: "Use `groups` or `public` in the frontmatter, or `public` in the navigation. If the key isn't an access rule, rename or remove it.",
  },
  "unknown-audience": {
    severity: "error",
    title: "Unknown audience",
    meaning:
      "The `for` prop of a `<Visibility>` component is missing or unknown, or the component is in a text that is the same for all readers, such as a description. No one sees its content.",
    fix: 'Set `for` to `"humans"`, `"agents"`, `"signed-in"`, `"signed-out"`, or `{{ groups: ["staff"] }}`.',
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
    meaning:
      "The marked text isn't valid MDX. It's shown as plain text, and the rest of the page is rendered normally.",
    fix: "Close the tag or brace. To show a literal `<` or `{`, put it in backticks or write `\\<` or `\\{`.",
  },
  "no-effect": {
    severity: "warning",
    title: "No effect",
    meaning:
      "Octavo accepts this setting, frontmatter key, component, or prop because other platforms have it, but it has no effect.",
    fix: "Remove it, or do what the hint suggests.",
  },
  "mdx-repaired": {
    severity: "warning",
    title: "Syntax that other MDX tools reject",
    meaning:
      "The text isn't valid MDX, but its meaning is clear, so Octavo shows it as intended. Other tools that read MDX may reject the page.",
    fix: "Write the text in the form that the hint shows.",
  },
  "table-cells": {
    severity: "warning",
    title: "Too many cells in a table row",
    meaning:
      "A row of a table has more cells than the table's header, or a tag starts in one cell and ends in another. Usually, the text of a cell contains a pipe, which ends the cell, even in code.",
    fix: "Write `\\|` for each pipe in the text of a cell.",
  },
  "undefined-footnote": {
    severity: "warning",
    title: "Footnote not defined",
    meaning: "The text refers to a footnote that the page doesn't define, so the reference is shown as text.",
    fix: "Define the footnote with a line such as `[^name]: Text`, or write `\\[^name]` to show it as text.",
  },
  "undefined-reference": {
    severity: "warning",
    title: "Reference not defined",
    meaning:
      "A link or image refers to a URL that the page doesn't define, so its Markdown is shown as text.",
    fix: "Define the reference with a line such as `[name]: /path`, or write `\\[text][name]` to show it as text.",
  },
  "other-syntax": {
    severity: "warning",
    title: "Syntax of another tool",
    meaning:
      "The line starts a callout, tabs, or a table of contents in the syntax of another documentation tool, so it's shown as text.",
    fix: "Use the component that the hint shows. `octavo import-site` converts whole sites. To show the line as text, put it in backticks.",
  },
  "api-history": {
    severity: "warning",
    title: "Missing API changes",
    meaning:
      "`api.changes` lists the changes of the OpenAPI documents between versions in the Git history. Some or all of the history isn't available: the folder isn't part of a checkout, the checkout is shallow or a partial clone, no version matches `since`, there are too many versions, or a document is a URL.",
    fix: "Fetch the complete history with its tags, such as with `fetch-depth: 0` in `actions/checkout`, and without `--filter`. If there are too many versions, set `since`.",
  },
  "missing-dates": {
    severity: "warning",
    title: "No dates of pages",
    meaning:
      "`metadata.timestamp` or `timestamp` shows when pages last changed, but Git doesn't know it: the folder isn't part of a checkout, or the checkout is shallow and lacks the commits. Deployments of a Git repository read its history for up to a minute, and deployments of uploads have none. Pages whose last commit isn't found have no date.",
    fix: "Fetch the complete history, such as with `fetch-depth: 0` in `actions/checkout`. Or set `lastUpdatedDate` in the frontmatter of pages, or remove `timestamp`. `octavo check --strict` doesn't fail because of this warning.",
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
    meaning:
      "Brackets, lists, quotes, or tags are nested too deeply. The page shows this problem instead of its content.",
    fix: "Reduce the nesting in the marked part.",
  },
  "page-binary": {
    severity: "error",
    title: "Page isn't a text file",
    meaning:
      "The file of the page or snippet has the extension of a page, but isn't UTF-8 text. For example, it's an image, or text in UTF-16. The page shows this problem instead of its content.",
    fix: "Save the file as UTF-8. If it isn't a page, change its extension, or exclude it in `.octavoignore`.",
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
    meaning:
      "No built-in, imported, or locally defined component has this name. Only its children are shown.",
    fix: "Check the spelling, import the component, or write `\\<Name>` to show it as text.",
  },
  "component-prop": {
    severity: "warning",
    title: "Missing or unknown component prop",
    meaning:
      "A component is missing a required prop, or has a prop that it doesn't support. The component is shown without the prop.",
    fix: "Add, correct, or remove the prop named in the message.",
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
    meaning:
      "The included file isn't in the documentation folder. The page is shown without the file's content.",
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
    meaning:
      "In MDX, `{name}` is an expression, and this name isn't defined. The expression is shown as text.",
    fix: "To show the braces as text, put them in backticks or write `\\{`. To use a value, export or import the name.",
  },
  "expression-failed": {
    severity: "warning",
    title: "Expression failed",
    meaning:
      "The expression threw an error or uses a JavaScript feature that isn't available in pages. The expression is shown as text.",
    fix: "Move the code into a component, or replace the expression with its result.",
  },
  "component-failed": {
    severity: "error",
    title: "Component failed",
    meaning:
      "The component threw an error, ran too long, or used too much memory. A placeholder is shown instead.",
    fix: "Fix the error in the message. To reproduce the error, run the component with the same props outside Octavo.",
  },
  "plain-component": {
    severity: "warning",
    title: "Built-in component in an interactive component",
    meaning:
      "A component that runs in the browser renders a built-in component. As soon as its script runs, the built-in component becomes a plain element that contains only the title and the content. Diagrams and formulas disappear.",
    fix: "Pass the built-in component to your component as content, as in `<Counter><Note>Text</Note></Counter>`, or use HTML elements.",
  },
  "package-import": {
    severity: "warning",
    title: "Import from a package",
    meaning:
      "Packages can't be imported, except React and Preact, so the import is ignored. If Octavo has a component with this name, such as `Card`, it's used instead. For other components, only their content is shown.",
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
    meaning: "An export, expression, or imported file isn't valid JavaScript, so its code doesn't run.",
    fix: "Fix the code at the marked position.",
  },
  "too-much-work": {
    severity: "error",
    title: "Page expands too much",
    meaning:
      "The components, snippets, or variables on this page expand to more content than a page can contain. Some of its content is missing.",
    fix: "Reduce the repetition, or split the page.",
  },
  // content
  "dead-link": {
    severity: "warning",
    title: "Broken link",
    meaning:
      "There is no page, file, or redirect at the link's path, or the link has a scheme that pages leave out for security, such as `javascript:` or `file:`.",
    fix: "Fix the link. If there is a page with a similar path, the hint suggests it.",
  },
  "external-link": {
    severity: "warning",
    title: "Broken link to another site",
    meaning:
      "`octavo check --external` followed the link. The server answered that there is no such page, or the host name doesn't exist.",
    fix: "Replace the link with the page's new URL, or remove it.",
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
    meaning:
      "None of the icon libraries has an icon with this name, or the value isn't a valid icon. A similar icon is shown, or none.",
    fix: "Use the name of an icon in one of the libraries, the path or URL of an image, or an `<svg>` element.",
  },
  "formula-failed": {
    severity: "warning",
    title: "Invalid formula",
    meaning:
      "The formula isn't valid LaTeX, is longer than 8,000 characters, or has macros that expand too much. The LaTeX source is shown instead.",
    fix: "Fix the LaTeX, or split a long formula. To show a price or a shell variable, write `\\$`.",
  },
  "diagram-invalid": {
    severity: "warning",
    title: "Invalid diagram",
    meaning: "Mermaid can't read the diagram. Its source is shown instead.",
    fix: "Correct the line in the message. A diagram starts with its type, such as `flowchart LR` or `sequenceDiagram`.",
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
  "file-closed": {
    severity: "warning",
    title: "File closed",
    meaning:
      "The site has pages or content that not everyone can see, and Octavo doesn't know what refers to the file. It could belong to the restricted content, so no one can open it, and exports don't contain it.",
    fix: "Refer to the file from a public page, or add its path or a pattern to `publicFiles` in docs.json. If the site doesn't need the file, add it to `.octavoignore`.",
  },
  "unsafe-path": {
    severity: "warning",
    title: "File can't be served",
    meaning:
      "The file is a symbolic link that doesn't point to a file in the documentation folder or points to a hidden file, its name contains characters that URLs don't support, or it's in the reserved folder `_octavo`. The file is left out.",
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
  // octavo check --accessibility
  "accessibility-alt": {
    severity: "warning",
    title: "Image without alternative text",
    meaning:
      "The image has no alternative text, so people who can't see it don't know what it shows. `octavo check --accessibility` and `octavo a11y` report it.",
    fix: 'Describe the image in the brackets: `![A settings page](image.png)`. If the image is decoration, use `<img src="image.png" alt="" />`.',
  },
  "accessibility-heading": {
    severity: "warning",
    title: "Heading skips a level",
    meaning:
      "The heading is more than one level below the heading before it, or the first heading of the page isn't at the second level. Screen readers list headings as an outline, in which a level is missing.",
    fix: "Use `##` for the sections of a page, and one `#` more for each level below.",
  },
  "accessibility-link": {
    severity: "warning",
    title: "Link text says nothing about the target",
    meaning:
      "The link has no text, or a text such as “here” or “read more”. Screen readers list links without the sentence around them.",
    fix: "Use the title of the target, or what readers find there.",
  },
  "accessibility-contrast": {
    severity: "warning",
    title: "Color with too little contrast",
    meaning:
      "The contrast of the color to the page's background is below 4.5, which WCAG 2.2 requires for text. Octavo uses a lighter or darker shade for text and links, so the site is readable, but its color isn't exactly yours.",
    fix: "Choose a color with enough contrast, or set `colors.light` for dark mode.",
  },
  ...openApiProblems,

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

/** What each problem code means and how to fix it, with the severity of its problems. */
export const problemCodes: Readonly<Record<ProblemCode, ProblemDescription>> = descriptions;

/** Codes of the problems that are only reported on request. */
export const accessibilityCodes: ReadonlySet<ProblemCode> = new Set([
  "accessibility-alt",
  "accessibility-heading",
  "accessibility-link",
  "accessibility-contrast",
]);

/** Codes of the problems with links, anchors, and images that don't work. */
export const linkCodes: ReadonlySet<ProblemCode> = new Set([
  "dead-link",
  "dead-anchor",
  "missing-image",
  "external-link",
]);
