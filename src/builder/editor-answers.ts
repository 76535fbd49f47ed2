/** Answers an editor's questions about the whole site: what refers to a place, and how to rename it. */

import { type Files, readText } from "../base/files.ts";
import { slugOf } from "../engine/html/anchor-ids.ts";
import type { Page } from "../engine/site/page.ts";
import {
  linksTo,
  type OperationPlace,
  operationReferences,
  type SearchedSite,
} from "../engine/site/references/find-references.ts";
import { editsForMoves } from "../engine/site/references/rename-files.ts";
import { editsForAnchors, headingTextIn } from "../engine/site/references/rename-heading.ts";
import type { SourceEdit } from "../engine/site/references/source-edit.ts";
import { withUnsavedTexts } from "./unsaved-texts.ts";

export type EditorQuestion =
  /** What refers to a file or, if `id` is set, to an element of its pages? */
  | { ask: "references"; file: string; id?: string }
  | { ask: "operation-references"; label: string }
  /** Which edits are needed when files get new paths? */
  | { ask: "move"; moves: readonly (readonly [from: string, to: string])[] }
  /** Which edits are needed when a heading gets another text? `line`: from 0 on. */
  | { ask: "heading"; file: string; line: number; title: string };

export interface EditorAnswer {
  places?: OperationPlace[];
  edits?: SourceEdit[];
  /** Why there are no edits, for the author. */
  refusal?: string;
}

/** `pagesOf`: builds the site again with other files, and returns its pages. */
export async function answerQuestion(
  question: EditorQuestion,
  files: Files,
  read: SearchedSite,
  pagesOf: (files: Files) => Promise<ReadonlyMap<string, Page>>,
): Promise<EditorAnswer> {
  const { sandbox } = read.context.mdx;
  switch (question.ask) {
    case "references": {
      const { file, id } = question;
      const has = (target: { id?: string }) => id === undefined || target.id === id;
      const links = await sandbox.use(() => linksTo({ files: new Set([file]), has }, read));
      const others = links.filter(({ written }) => id !== undefined || !written.startsWith("#"));
      return { places: others.map(placeOf) };
    }
    case "operation-references":
      return {
        places: await sandbox.use(() => operationReferences(question.label, read).map(placeOf)),
      };
    case "move":
      return await sandbox.use(() => moveFiles(question.moves, files, read));
    case "heading":
      return await renameHeading(question, files, read, pagesOf);
  }
}

function placeOf({ file, line, column, length }: OperationPlace): OperationPlace {
  return { file, line, column, length };
}

function moveFiles(
  moves: readonly (readonly [from: string, to: string])[],
  files: Files,
  read: SearchedSite,
): EditorAnswer {
  if (!files.paths.includes("docs.json"))
    return {
      refusal: "To rename pages with their links, run octavo import-site first: the site has no docs.json.",
    };
  const from = new Set(moves.map(([file]) => file));
  const taken = moves.find(([, to]) => files.paths.includes(to) && !from.has(to));
  if (taken) return { refusal: `${taken[1]} exists already.` };
  return { edits: editsForMoves(new Map(moves), read) };
}

async function renameHeading(
  { file, line, title }: Extract<EditorQuestion, { ask: "heading" }>,
  files: Files,
  read: SearchedSite,
  pagesOf: (files: Files) => Promise<ReadonlyMap<string, Page>>,
): Promise<EditorAnswer> {
  const lines = (readText(files, file) ?? "").split("\n");
  const text = headingTextIn(lines[line] ?? "");
  if (!text) return { refusal: "This isn't a heading." };
  if (/[\r\n]/.test(title) || title.trim() === "") return { refusal: "A heading needs a text in one line." };

  const changed = lines.with(
    line,
    lines[line]!.slice(0, text.start) + title.trim() + lines[line]!.slice(text.end),
  );
  const after = await pagesOf(withUnsavedTexts(files, { [file]: changed.join("\n") }));
  const links = await read.context.mdx.sandbox.use(() => editsForAnchors(read, after));
  if (!links)
    return {
      refusal: `The links to the heading can't be changed, because #${slugOf(title)} isn't a heading's ID.`,
    };

  const at = { file, line: line + 1, endLine: line + 1 };
  const own = { ...at, column: text.start + 1, endColumn: text.end + 1, text: title.trim() };
  return {
    edits: [
      own,
      ...links.filter(
        (edit) =>
          edit.file !== file ||
          edit.line !== own.line ||
          edit.column < own.column ||
          edit.column >= own.endColumn,
      ),
    ],
  };
}
