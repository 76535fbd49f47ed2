/**
 * Returns the files of a new site, by path: guides, examples of common components, an API reference and a
 * changelog.
 */
export function starterFiles(name: string): Record<string, string> {
  return {
    "docs.json": `${JSON.stringify(settings(name), undefined, 2)}\n`,
    "index.mdx": home(name),
    "quickstart.mdx": quickstart,
    "guides/writing.mdx": writing,
    "guides/components.mdx": components,
    "api-reference/introduction.mdx": apiIntroduction,
    "api-reference/openapi.yaml": openapi(name),
    "changelog.mdx": changelog,
  };
}

function settings(name: string): object {
  return {
    theme: "mint",
    name,
    colors: { primary: "#2F5BD7", light: "#8DB0FF", dark: "#2F5BD7" },
    icons: { library: "lucide" },
    contextual: { options: ["copy", "view"] },
    navigation: {
      tabs: [
        {
          tab: "Guides",
          icon: "book-open",
          groups: [
            { group: "Get started", pages: ["index", "quickstart"] },
            { group: "Write", pages: ["guides/writing", "guides/components"] },
          ],
        },
        {
          tab: "API reference",
          icon: "braces",
          groups: [
            { group: "Overview", pages: ["api-reference/introduction"] },
            { group: "Endpoints", openapi: "api-reference/openapi.yaml" },
          ],
        },
        { tab: "Changelog", icon: "history", pages: ["changelog"] },
      ],
    },
    // Readers of a missing page see suggestions instead of the home page.
    errors: { "404": { redirect: false } },
    navbar: { primary: { type: "button", label: "Get started", href: "/quickstart" } },
    footer: {
      links: [
        {
          header: "Learn",
          items: [
            { label: "Quickstart", href: "/quickstart" },
            { label: "Components", href: "/guides/components" },
          ],
        },
        {
          header: "Reference",
          items: [
            { label: "API", href: "/api-reference/introduction" },
            { label: "Changelog", href: "/changelog" },
          ],
        },
      ],
    },
  };
}

const home = (name: string) => `---
title: ${JSON.stringify(`Welcome to ${name}`)}
sidebarTitle: Introduction
description: ${JSON.stringify(`Learn what ${name} does and how to get started.`)}
icon: home
---

Describe your product: who it's for, and what it does. To edit this page, open \`index.mdx\`. The preview updates each time you save.

<CardGroup cols={2}>
  <Card title="Quickstart" icon="rocket" href="/quickstart">
    Go from installation to your first result.
  </Card>
  <Card title="Writing pages" icon="pen-line" href="/guides/writing">
    Markdown, links, images and code.
  </Card>
  <Card title="Components" icon="blocks" href="/guides/components">
    Callouts, tabs, steps and more.
  </Card>
  <Card title="API reference" icon="braces" href="/api-reference/introduction">
    Every endpoint, with a playground.
  </Card>
</CardGroup>
`;

const quickstart = `---
title: Quickstart
description: Your first result.
icon: rocket
---

<Steps>
  <Step title="Install">
    \`\`\`bash
    npm install your-package
    \`\`\`
  </Step>
  <Step title="Configure">
    Store your API key in a variable.

    \`\`\`bash
    export API_KEY="your-key"
    \`\`\`
  </Step>
  <Step title="Make a request">
    \`\`\`bash
    curl https://api.example.com/v1/books --header "X-Api-Key: $API_KEY"
    \`\`\`

    <Check>You see a list of books.</Check>
  </Step>
</Steps>

## Next steps

- Read how to [write pages](/guides/writing).
- Try an endpoint in the [API reference](/api-reference/introduction).
`;

const writing = `---
title: Writing pages
description: Pages are Markdown files with a title and a description.
icon: pen-line
---

## Page structure

Each page starts with its frontmatter:

\`\`\`mdx guides/install.mdx
---
title: Install
description: Get the command line tool.
---

Text with **bold words**, a [link](/quickstart) and \`code\`.
\`\`\`

List the page in \`docs.json\` to show it in the navigation.

## Tables

| Plan | Requests per minute | Price |
| --- | ---: | ---: |
| Free | 60 | $0 |
| Team | 600 | $20 |

## Diagrams

\`\`\`mermaid
flowchart LR
  write[Write] --> check[Check] --> publish[Publish]
\`\`\`
`;

const components = `---
title: Components
description: Building blocks to copy.
icon: blocks
---

## Callouts

<Note>Use a note for helpful information.</Note>
<Tip>Use a tip to suggest a better way.</Tip>
<Warning>Use a warning for anything that can go wrong.</Warning>

## Tabs

<Tabs>
  <Tab title="JavaScript">
    \`\`\`js
    const books = await client.books.list({ limit: 10 });
    \`\`\`
  </Tab>
  <Tab title="Python">
    \`\`\`python
    books = client.books.list(limit=10)
    \`\`\`
  </Tab>
</Tabs>

## Accordions

<AccordionGroup>
  <Accordion title="Can I use it offline?">Yes. A build is a folder of plain files.</Accordion>
  <Accordion title="Can I use my own domain?">Yes. Serve the folder from any web server.</Accordion>
</AccordionGroup>

## Fields

<ParamField query="limit" type="integer" default="20">
  The number of books to return, from 1 to 100.
</ParamField>
<ParamField query="author" type="string">
  Returns only books by this author.
</ParamField>
`;

const apiIntroduction = `---
title: Introduction
description: Authentication and errors.
icon: info
---

The pages in this tab are generated from \`api-reference/openapi.yaml\`. Replace that file with your own OpenAPI document.

## Authentication

Send your key in the \`X-Api-Key\` header of each request.

## Errors

| Status | Meaning |
| --- | --- |
| 400 | A parameter is missing or invalid |
| 401 | The key is missing or has been revoked |
| 404 | No resource has this ID |
`;

const changelog = `---
title: Changelog
description: What's new.
rss: true
---

<Update label="Version 1.1" description="June 2026" tags={["API"]}>
  ## Search by author

  \`GET /books\` has a new \`author\` parameter.
</Update>

<Update label="Version 1.0" description="May 2026" tags={["Docs"]}>
  ## First release

  The guides and the API reference are now public.
</Update>
`;

const openapi = (name: string) => `openapi: 3.1.0
info:
  title: ${JSON.stringify(`${name} API`)}
  version: "1.1"
servers:
  - url: https://api.example.com/v1
security:
  - key: []
tags:
  - name: Books
paths:
  /books:
    get:
      tags: [Books]
      operationId: listBooks
      summary: List books
      description: Returns the books, newest first.
      parameters:
        - name: author
          in: query
          description: Returns only books by this author.
          schema: { type: string }
          example: Ursula K. Le Guin
        - name: limit
          in: query
          description: The number of books to return.
          schema: { type: integer, minimum: 1, maximum: 100, default: 20 }
      responses:
        "200":
          description: A list of books.
          content:
            application/json:
              schema:
                type: object
                required: [items]
                properties:
                  items:
                    type: array
                    items: { $ref: "#/components/schemas/Book" }
        "401": { $ref: "#/components/responses/Unauthorized" }
    post:
      tags: [Books]
      operationId: createBook
      summary: Create a book
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/NewBook" }
      responses:
        "201":
          description: The new book.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Book" }
        "401": { $ref: "#/components/responses/Unauthorized" }
  /books/{bookId}:
    get:
      tags: [Books]
      operationId: getBook
      summary: Get a book
      parameters:
        - name: bookId
          in: path
          required: true
          description: The book's ID.
          schema: { type: string }
          example: book_8f31
      responses:
        "200":
          description: The book.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Book" }
        "401": { $ref: "#/components/responses/Unauthorized" }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
  schemas:
    NewBook:
      type: object
      required: [title, author]
      properties:
        title: { type: string, description: The title on the cover., examples: [The Dispossessed] }
        author: { type: string, description: The author's name., examples: [Ursula K. Le Guin] }
        pages: { type: integer, minimum: 1, description: The number of pages., examples: [387] }
    Book:
      allOf:
        - $ref: "#/components/schemas/NewBook"
        - type: object
          required: [id, createdAt]
          properties:
            id: { type: string, description: The book's ID., examples: [book_8f31] }
            createdAt: { type: string, format: date-time, description: When the book was added., examples: ["2026-05-04T09:30:00Z"] }
    Error:
      type: object
      required: [message]
      properties:
        message: { type: string, description: What went wrong., examples: [The key has been revoked.] }
  responses:
    Unauthorized:
      description: The key is missing or has been revoked.
      content:
        application/json:
          schema: { $ref: "#/components/schemas/Error" }
`;
