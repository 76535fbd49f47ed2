/** Answers without a model, by quoting sentences of the documentation. */

import { limits } from "../../base/limits.ts";
import { termsOf } from "../search/terms.ts";
import { cited } from "./clean-answer.ts";
import { type Quotable, quotables } from "./quotable.ts";
import type { Retrieved, RetrievedSection } from "./retrieved.ts";

/** A quoted answer. `text` cites sections by their number in the retrieved sections, starting with 1. `used` contains these numbers. */
export interface Extract {
  text: string;
  used: number[];
}

/** Minimum score of each additional section, relative to the first section. */
const secondScore_share = 0.6;
/** Minimum share of the question's information that a part must add to be quoted. */
const leastGain_share = 0.08;

/** Matches questions that ask for code. In other languages, code is only quoted after the text that precedes it. */
const asksForCode =
  /\b(?:examples?|code|snippets?|samples?|syntax|commands?|curl|requests?|scripts?|beispiele?|befehle?|ejemplos?|código|comandos?|exemples?|commandes?|exemplos?|esempi[o]?|voorbeeld)\b|例|代码|コード|예제|пример|\bhow\s+(?:can|do|could|should|would|to)\b|\bcómo\b|\bcomment\b|\bwie\b|\bcomo\b/i;

interface Candidate extends Quotable {
  section: number;
  terms: ReadonlySet<string>;
}

/** Composes a quoted answer. Undefined if no section matches the question well enough, or none has a part that can be quoted. */
export function extractAnswer(question: string, retrieved: Retrieved): Extract | undefined {
  const [first, ...others] = retrieved.sections;
  if (!first || !retrieved.isCovered) return undefined;
  const chooser = new QuoteSelection(question, retrieved);
  chooser.quote(first, 1);
  for (const [place, section] of others.entries()) {
    if (chooser.sections >= limits.quotedSections_count || section.score < secondScore_share * first.score) break;
    chooser.quote(section, place + 2);
  }
  return chooser.answer();
}

class QuoteSelection {
  private readonly weights: Map<string, number>;
  private readonly total: number;
  private readonly language: string;
  private readonly wantsCode: boolean;
  private readonly quotedTerms = new Set<string>();
  private readonly chosen: Candidate[] = [];

  constructor(question: string, { terms, language }: Retrieved) {
    this.weights = new Map(
      terms.flatMap(({ term, idf, isKnown, also }) => (isKnown ? [term, ...also].map((name) => [name, idf] as const) : [])),
    );
    this.total = terms.reduce((sum, { idf, isKnown }) => sum + (isKnown ? idf : 0), 0);
    this.language = language;
    this.wantsCode = asksForCode.test(question);
  }

  get sections(): number {
    return new Set(this.chosen.map(({ section }) => section)).size;
  }

  /** Chooses parts of a section. Sections after the first one must add information. */
  quote(section: RetrievedSection, number: number): void {
    const parts = quotables(section.text, this.language)
      .map((part): Candidate => ({ ...part, section: number, terms: new Set(termsOf(part.text, this.language)) }))
      .filter(isPresentable);
    const isLead = this.chosen.length === 0;
    // Sentences don't need to repeat the terms of their heading.
    const heading = new Set(termsOf(section.title, this.language));
    const room = isLead ? limits.quotedParts_count - 1 : limits.quotedParts_count;
    let quoted = 0;
    while (this.groups() < room) {
      const best = this.best(parts, section, heading, isLead && quoted === 0);
      if (!best) break;
      quoted++;
      this.take(best, parts);
    }
    if (quoted > 0) for (const term of heading) this.quotedTerms.add(term);
  }

  answer(): Extract | undefined {
    if (this.chosen.length === 0) return undefined;
    const used = [...new Set(this.chosen.map(({ section }) => section))];
    const blocks = used.flatMap((section) =>
      blocksOf(
        this.chosen.filter((part) => part.section === section),
        section,
      ),
    );
    return { text: blocks.join("\n\n"), used };
  }

  private groups(): number {
    const lists = new Set(
      this.chosen.flatMap(({ kind, section, block }) => (kind === "item" || kind === "table" ? [`${section} ${block}`] : [])),
    );
    return lists.size + this.chosen.filter(({ kind }) => kind === "sentence" || kind === "code").length;
  }

  private best(
    parts: readonly Candidate[],
    section: RetrievedSection,
    heading: ReadonlySet<string>,
    isFirst: boolean,
  ): Candidate | undefined {
    let best: Candidate | undefined;
    let most = 0;
    for (const [place, part] of parts.entries()) {
      if (this.chosen.includes(part) || part.kind === "title" || part.kind === "code") continue;
      const worth = this.worth(part, place, section, heading, isFirst ? 0 : leastGain_share);
      if (worth > most) {
        most = worth;
        best = part;
      }
    }
    return best;
  }

  /** Share of the question's information that the part adds, plus a small bonus for its position. 0 if it adds too little. */
  private worth(part: Candidate, place: number, { best }: RetrievedSection, heading: ReadonlySet<string>, least: number): number {
    let gain = 0;
    let repeated = 0;
    for (const term of part.terms) {
      const weight = (this.weights.get(term) ?? 0) / this.total;
      if (this.quotedTerms.has(term)) repeated += weight;
      else gain += heading.has(term) ? weight * 0.6 : weight;
    }
    // Long parts contain many terms of any question.
    const length = Math.min(1, 160 / part.text.length) ** 0.25;
    const added = (gain + repeated * 0.15) * length;
    if (added < least || (gain === 0 && this.chosen.length > 0)) return 0;
    const isInBest = part.start >= best.start && part.start < best.end;
    const isNext = this.chosen.some(({ section, block }) => section === part.section && Math.abs(block - part.block) <= 1);
    const isCard = part.kind === "item" && /^\S+\s+\**\[/.test(part.text);
    // If the heading matches the question, the first sentences of the section usually define the subject.
    const named = [...heading].reduce((sum, term) => sum + (this.weights.get(term) ?? 0) / this.total, 0);
    const opening = place < 2 && part.kind === "sentence" ? (0.25 * named) / (place + 1) : 0;
    return (isCard ? added / 2 : added) + (isInBest ? 0.1 : 0) + (isNext ? 0.05 : 0) + opening;
  }

  /** Adds a part and the parts that are needed to understand it. */
  private take(part: Candidate, parts: readonly Candidate[]): void {
    const list = parts.filter(({ block, kind }) => block === part.block && kind === part.kind);
    const isList = part.kind === "item" || part.kind === "table";
    const isShort =
      list.length <= limits.quotedList_count && list.reduce((sum, { text }) => sum + text.length, 0) <= limits.quotedList_chars;
    const isSteps = /^\d/.test(part.text) || this.introduces(parts, list[0]!);
    this.add(...(isList && isShort && isSteps ? list : [part]));
    const place = parts.indexOf(isList ? list[0]! : part);
    const before = parts[place - 1];
    if (isList && this.introduces(parts, list[0]!)) this.add(before!);
    if (
      part.kind === "sentence" &&
      before?.block === part.block &&
      /^(?:This|That|These|Those|It|They|However|Then|Also|Therefore|Instead|Otherwise)\b/.test(part.text)
    )
      this.add(before);
    this.follow(part, list, parts);
  }

  /** Adds the parts that a sentence introduces, and the code that belongs to quoted parts. */
  private follow(part: Candidate, list: readonly Candidate[], parts: readonly Candidate[]): void {
    const last = part.kind === "sentence" ? part : list.at(-1)!;
    const next = parts[parts.indexOf(last) + 1];
    const announces = part.kind === "sentence" && isOpen(part);
    if (announces && next) {
      const rest =
        next.kind === "sentence" ? parts.slice(parts.indexOf(next)).slice(0, 2) : parts.filter(({ block }) => block === next.block);
      let chars = 0;
      const fitting = rest.filter(
        ({ text }, index) =>
          index < limits.quotedList_count &&
          (chars += text.length) <= (next.kind === "code" ? limits.quotedCode_chars : limits.quotedList_chars),
      );
      this.add(...fitting);
    }
    if (!this.wantsCode || this.chosen.some(({ kind }) => kind === "code")) return;
    const isNear = (code: Candidate) =>
      code.kind === "code" && code.text.length <= limits.quotedCode_chars && Math.abs(code.block - part.block) <= 2;
    const near = parts.filter(isNear).sort((a, b) => distance(a, part) - distance(b, part))[0];
    if (near) this.add(near);
  }

  private introduces(parts: readonly Candidate[], first: Candidate): boolean {
    const before = parts[parts.indexOf(first) - 1];
    return before?.kind === "sentence" && first.block - before.block === 1 && isOpen(before);
  }

  private add(...parts: readonly Candidate[]): void {
    for (const part of parts) {
      if (this.chosen.includes(part)) continue;
      this.chosen.push(part);
      for (const term of part.terms) this.quotedTerms.add(term);
    }
  }
}

/** Whether a sentence introduces the part below it. */
function isOpen({ text }: Candidate): boolean {
  return !/[.!?。！？)\]"”»*_`]$/.test(text) || /[:：]\**$/.test(text);
}

/** Distance of code from a part. Code below text is more likely to belong to it than code above. */
function distance(code: Candidate, part: Candidate): number {
  return code.block > part.block ? code.block - part.block : part.block - code.block + 0.5;
}

/** Whether a part can be quoted. Code can be quoted if its fence is closed. Other parts can't contain images or citations or be too long, and sentences can't be questions or consist of links. */
function isPresentable({ kind, text }: Candidate): boolean {
  if ((text.match(/^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1) return false;
  if (kind === "code") return true;
  // Text that looks like a citation would become one.
  if (cited(text).length > 0) return false;
  const plain = text.replace(/!?\[[^\]]*\]\([^)]*\)/g, "").replace(/[\s\p{P}\p{S}]/gu, "");
  return (
    !/!\[/.test(text) && text.length <= limits.quotedSentence_chars && (kind !== "sentence" || (plain.length >= 12 && !text.endsWith("?")))
  );
}

/** The parts as Markdown, in the order of the section, with citations. A table or code block has a citation only if it is the first part. */
function blocksOf(parts: readonly Candidate[], section: number): string[] {
  const ordered = [...parts].sort((a, b) => a.start - b.start);
  const groups: Candidate[][] = [];
  for (const part of ordered) {
    const group = groups.at(-1);
    if (group && group[0]!.block === part.block && group[0]!.kind === part.kind) group.push(part);
    else groups.push([part]);
  }
  return groups.map((group, index) => {
    const { kind, text } = group[0]!;
    const citation = `[${section}]`;
    const next = groups[index + 1]?.[0];
    // A list and its introduction have one citation, at the end of the list.
    if (kind === "sentence" && next?.kind === "item" && isOpen(group.at(-1)!)) return group.map((part) => part.text).join(" ");
    if (kind === "sentence") return [...group.map((part) => part.text), citation].join(" ");
    if (kind === "item") return cite(group.map((part) => part.text).join("\n"), citation);
    const quoted = kind === "table" ? [text, ...group.slice(1).map((part) => part.text.split("\n").at(-1)!)].join("\n") : text;
    // The citation of the previous part is also for this code.
    return index > 0 ? quoted : `${quoted}\n\n${citation}`;
  });
}

/** Appends a citation, on a new line after code and tables. */
function cite(list: string, citation: string): string {
  return /(?:`{3,}|~{3,}|\|)$/.test(list) ? `${list}\n\n${citation}` : `${list} ${citation}`;
}
