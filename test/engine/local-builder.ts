/** Builds sites in the test's process, with the code that the build process runs. */

import { readFileSync } from "node:fs";
import path from "node:path";
import {
  BuildEnded,
  BuildFailed,
  type BuildProcessOptions,
  type SiteBuilder,
} from "../../src/builder/build-process.ts";
import type { BuildMessage, BuildRequest } from "../../src/builder/build-protocol.ts";
import { usePatterns } from "../../src/builder/use-patterns.ts";
import type { AllowedHosts } from "../../src/io/allowed-hosts.ts";
import { BadArchive } from "../../src/io/archive-limits.ts";
import { testRunner } from "./test-runner.ts";

/** Folder of the built product. */
export const product = path.resolve(import.meta.dirname, "../../dist");

export const { version } = JSON.parse(readFileSync(path.join(product, "../package.json"), "utf8")) as {
  version: string;
};

usePatterns(new URL("../../dist/patterns/", import.meta.url));

/**
 * Creates a builder. `allowed`: hosts that documents may be fetched from. `end` only stops waiting for a
 * build.
 */
export function localBuilder(
  allowed: AllowedHosts,
  { onProgress, onPages }: Pick<BuildProcessOptions, "onProgress" | "onPages"> = {},
): SiteBuilder {
  const waiting = new Map<number, { resolve(message: BuildMessage): void; reject(error: Error): void }>();
  const runner = testRunner({
    version,
    allowed,
    send(message) {
      switch (message.event) {
        case "page":
          return onProgress?.("page", message.done, message.total);
        case "written":
          onProgress?.("write", message.done, message.total);
          return onPages?.(message.pages, message.totalPages);
        case "outlined":
          return;
        case "failed":
          return waiting.get(message.id)?.reject(new BuildFailed(message.message, message.detail));
        default:
          waiting.get(message.id)?.resolve(message);
      }
    },
  });
  let lastId = 0;
  const request = (message: Omit<BuildRequest, "id">) =>
    new Promise<BuildMessage>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      void runner.answer({ ...message, id } as BuildRequest);
    });
  return {
    prepare() {},
    async unpack(archive, folder) {
      const message = await request({ do: "unpack", archive, folder } as Omit<BuildRequest, "id">);
      if (message.event === "unpacked" && message.refusal !== undefined)
        throw new BadArchive(message.refusal);
    },
    async build(job) {
      const message = await request({ do: "build", job: { ...job, crashed: [] } } as Omit<
        BuildRequest,
        "id"
      >);
      if (message.event !== "built") throw new Error(`Unexpected message: ${message.event}`);
      return message.result;
    },
    async compare(job) {
      const message = await request({ do: "compare", job } as Omit<BuildRequest, "id">);
      if (message.event !== "compared") throw new Error(`Unexpected message: ${message.event}`);
      return message.comparison;
    },
    async file(path) {
      const message = await request({ do: "file", path } as Omit<BuildRequest, "id">);
      return message.event === "file" ? message.bytes : undefined;
    },
    end() {
      for (const { reject } of waiting.values()) reject(new BuildEnded("The build was stopped", undefined));
    },
  };
}
