/** Writes the content of the page with the changes of an API. */

import { type ChangeLevel, changeLevels } from "../../../base/change-rules.ts";
import { cutText } from "../../../base/cut-text.ts";
import { type ContentElement, type ContentNode, element } from "../../content.ts";
import { paramIdOf } from "../../html/anchor-ids.ts";
import { fill, type SiteMessages } from "../../i18n/messages.ts";
import { partsOfMessage } from "../../openapi/changes/code-in-message.ts";
import { encodePath } from "../../paths.ts";
import type { ApiChanges, ChangedOperation, ChangedVersion, ListedChange } from "./change-list.ts";

/** Maximum number of changes of a document in a version. The JSON file has all of them. */
const listed_count = 200;
/** Maximum number of operations that are named at a change of a shared schema. */
const operations_count = 5;
/** Maximum length of a version's entry in the feed, in characters. */
const feed_chars = 2_000;

const titles = {
  breaking: "breakingChanges",
  "may-break": "mayBreakChanges",
  compatible: "compatibleChanges",
  text: "textChanges",
} as const satisfies Record<ChangeLevel, keyof SiteMessages>;

interface ChangesPageOptions {
  messages: SiteMessages;
  /** URL of the JSON file with all changes. */
  jsonUrl: string;
  /** Returns the route of an operation's page. Undefined if there is none. */
  routeOf(file: string, pointer: string): string | undefined;
}

/** Returns an entry for each version, the newest first. */
export function changesContent({ versions }: ApiChanges, options: ChangesPageOptions): ContentNode[] {
  const files = versions.flatMap(({ documents }) => documents.map(({ file }) => file));
  const page = new ChangesPage(options, new Set(files).size > 1);
  return versions.length
    ? versions.flatMap((version) => page.entries(version))
    : [element("p", {}, [options.messages.noChanges])];
}

/** Changes for readers with the same access. */
interface Share extends OperationAccess {
  documents: ChangedVersion["documents"];
}

class ChangesPage {
  private readonly options: ChangesPageOptions;
  /** Whether documents have headings. */
  private readonly hasTitles: boolean;

  constructor(options: ChangesPageOptions, hasTitles: boolean) {
    this.options = options;
    this.hasTitles = hasTitles;
  }

  /** Returns an entry for everyone with the restricted changes inside, or else an entry for each access. */
  entries(version: ChangedVersion): ContentNode[] {
    const shares = sharesOf(version);
    const open = shares.find(isOpen);
    if (!open) return shares.map((share) => wrapped(share, this.entry(version, share, this.blocks(share))));
    const restricted = shares.filter((share) => share !== open);
    return [
      this.entry(version, open, [
        ...this.blocks(open),
        ...restricted.map((share) => wrapped(share, element("MDX", {}, this.blocks(share)))),
      ]),
    ];
  }

  private entry({ label, date }: ChangedVersion, share: Share, content: ContentNode[]): ContentElement {
    const title = label ?? this.options.messages.unreleased;
    const props = {
      label: title,
      ...(date === undefined ? {} : { description: date }),
      rss: { title, description: this.feedText(share) },
    };
    return element("Update", props, content);
  }

  private feedText({ documents }: Share): string {
    const changes = documents.flatMap((document) => document.changes);
    const texts = changeLevels.flatMap((level) => {
      const found = changes.filter((change) => change.level === level);
      const lines = found.map(({ operations, message }) => `${operations[0]!.name}: ${message}`);
      return found.length ? [`${this.options.messages[titles[level]]}: ${lines.join("; ")}.`] : [];
    });
    return cutText(texts.join(" "), feed_chars);
  }

  private blocks({ documents }: Share): ContentNode[] {
    const { messages, jsonUrl } = this.options;
    return documents.flatMap(({ file, title, changes }) => {
      const more = changes.length - listed_count;
      const link = element("a", { href: jsonUrl }, [fill(messages.moreChanges, { count: more })]);
      return [
        ...(this.hasTitles ? [element("h3", {}, [title])] : []),
        ...this.levels(file, changes.slice(0, listed_count)),
        ...(more > 0 ? [element("p", {}, [link])] : []),
      ];
    });
  }

  private levels(file: string, changes: readonly ListedChange[]): ContentNode[] {
    return changeLevels.flatMap((level) => {
      const found = changes.filter((change) => change.level === level);
      if (found.length === 0) return [];
      const items = found.map((change) =>
        element("li", {}, [
          ...this.names(change, file),
          ": ",
          element("span", { lang: "en" }, words(change.message)),
        ]),
      );
      const heading = element(this.hasTitles ? "h4" : "h3", {}, [this.options.messages[titles[level]]]);
      return [heading, element("ul", {}, items)];
    });
  }

  private names({ operations, field }: ListedChange, file: string): ContentNode[] {
    const more = operations.length - operations_count;
    const anchor = field !== undefined && operations.length === 1 ? `#${paramIdOf(field)}` : "";
    const names = operations.slice(0, operations_count).map(({ name, pointer }) => {
      const code = element("code", {}, [name]);
      const route = pointer === undefined ? undefined : this.options.routeOf(file, pointer);
      return route === undefined ? code : element("a", { href: `/${encodePath(route)}${anchor}` }, [code]);
    });
    return names
      .flatMap((name, index): ContentNode[] => (index > 0 ? [", ", name] : [name]))
      .concat(more > 0 ? `, … (${more})` : []);
  }
}

/**
 * Divides the changes of a version by who may see them. A change that affects a public operation names only
 * public ones.
 */
function sharesOf({ documents }: ChangedVersion): Share[] {
  const shares = new Map<string, Share>();
  for (const { changes, ...document } of documents)
    for (const change of changes) {
      const open = change.operations.filter(isOpen);
      for (const operations of open.length ? [open] : byAccess(change.operations)) {
        const { groups, needsSignIn } = operations[0]!;
        const key = accessKey(operations[0]!);
        const share = shares.get(key) ?? { groups, ...(needsSignIn ? { needsSignIn } : {}), documents: [] };
        shares.set(key, share);
        let of = share.documents.find(({ file }) => file === document.file);
        if (!of) share.documents.push((of = { ...document, changes: [] }));
        of.changes.push({ ...change, operations });
      }
    }
  return [...shares.values()];
}

type OperationAccess = Pick<ChangedOperation, "groups" | "needsSignIn">;

function isOpen({ groups, needsSignIn }: OperationAccess): boolean {
  return groups.length === 0 && !needsSignIn;
}

function accessKey({ groups, needsSignIn }: OperationAccess): string {
  return needsSignIn ? "signed-in" : JSON.stringify(groups);
}

function byAccess(operations: readonly ChangedOperation[]): ChangedOperation[][] {
  const found = new Map<string, ChangedOperation[]>();
  for (const operation of operations) {
    const key = accessKey(operation);
    found.set(key, [...(found.get(key) ?? []), operation]);
  }
  return [...found.values()];
}

/** Splits a message at its code, such as "The property `name` was added". */
function words(message: string): ContentNode[] {
  return partsOfMessage(message).map(({ text, isCode }) => (isCode ? element("code", {}, [text]) : text));
}

function wrapped({ groups, needsSignIn }: Share, content: ContentElement): ContentElement {
  if (needsSignIn) return element("Visibility", { for: "signed-in" }, [content]);
  return groups.reduceRight(
    (inner, list) => element("Visibility", { for: { groups: [...list] } }, [inner]),
    content,
  );
}

/** Returns the JSON file with the changes of public operations. */
export function changesJson({ versions }: ApiChanges): string {
  const shown = versions.flatMap((version) => {
    const open = sharesOf(version).find(isOpen);
    const documents = open?.documents.map(({ changes, ...document }) => ({
      ...document,
      changes: changes.map(({ operations, ...change }) => ({
        ...change,
        operations: operations.map(({ name }) => name),
      })),
    }));
    const { label = null, date = null } = version;
    return documents ? [{ version: label, date, documents }] : [];
  });
  return `${JSON.stringify({ versions: shown }, null, 2)}\n`;
}
