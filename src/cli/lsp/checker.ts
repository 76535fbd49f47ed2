/** Checks the site after each change, with one check at a time. */

import type { SiteBuilder } from "../../builder/build-process.ts";
import type { BuildJob, BuildResult } from "../../builder/build-protocol.ts";
import type { EditorAnswer, EditorQuestion } from "../../builder/editor-answers.ts";

export interface CheckerOptions {
  builder: SiteBuilder;
  job: Pick<BuildJob, "folder" | "cacheFolder">;
  /** Returns the unsaved texts by path, and the versions of the open documents by URI. */
  takeSnapshot(): EditorTexts;
  onResult(result: BuildResult, versions: EditorTexts["versions"]): void;
  onFailure(error: Error): void;
}

export interface EditorTexts {
  texts: Record<string, string>;
  versions: ReadonlyMap<string, number>;
}

interface Settle {
  resolve(answer: EditorAnswer): void;
  reject(error: Error): void;
}

export class Checker {
  private readonly options: CheckerOptions;
  private isStale = false;
  private readonly questions: { question: EditorQuestion; settle: Settle }[] = [];
  private isRunning = false;

  constructor(options: CheckerOptions) {
    this.options = options;
  }

  /** Starts a check with the newest texts, or starts it after the one that is running. */
  request(): void {
    this.isStale = true;
    if (!this.isRunning) void this.run();
  }

  /** Answers a question about the newest texts, before the next check. */
  ask(question: EditorQuestion): Promise<EditorAnswer> {
    return new Promise((resolve, reject) => {
      this.questions.push({ question, settle: { resolve, reject } });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    const { builder, job, takeSnapshot, onResult, onFailure } = this.options;
    this.isRunning = true;

    while (this.isStale || this.questions.length > 0) {
      const asked = this.questions.shift();
      if (asked) {
        await this.answer(asked.question, asked.settle);
        continue;
      }
      this.isStale = false;
      try {
        const { texts, versions } = takeSnapshot();
        const result = await builder.build({ ...job, unsaved: texts, output: { kind: "outline" } });
        onResult(result, versions);
      } catch (error) {
        onFailure(error as Error);
      }
    }

    this.isRunning = false;
  }

  private async answer(question: EditorQuestion, { resolve, reject }: Settle): Promise<void> {
    const { builder, job, takeSnapshot } = this.options;
    try {
      const { texts } = takeSnapshot();
      const { answer } = await builder.build({
        ...job,
        unsaved: texts,
        output: { kind: "answer", question },
      });
      resolve(answer ?? {});
    } catch (error) {
      reject(error as Error);
    }
  }
}
