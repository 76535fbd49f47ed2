import type { ServerResponse } from "node:http";
import path from "node:path";
import { watch } from "chokidar";
import { plural } from "../../base/plural.ts";
import type { Problem } from "../../base/problem.ts";
import { isInSkippedFolder } from "../../base/skipped-folders.ts";
import { readProxyOrigins } from "../../host/playground-proxy.ts";
import { readRedirectTable } from "../../host/resolve-path.ts";
import {
  eventsPath,
  previewScriptPath,
  proxyTablePath,
  redirectTablePath,
} from "../../layout/site-layout.ts";
import { type Command, UsageError } from "../command.ts";
import { docsFolder } from "../docs-folder.ts";
import { formatProblems, problemSummary } from "../format-problems.ts";
import { pageCache } from "../page-cache.ts";
import { overlayScript } from "../preview-overlay.ts";
import {
  allowHostOption,
  listen,
  type ReadableSite,
  readAllowHost,
  readPort,
  siteServer,
} from "../preview-server.ts";
import { readThreads, threadsOption } from "../threads-option.ts";

/** Debounce time for file changes, since editors save a file in several steps. */
const settle_ms = 40;

export const dev: Command = {
  name: "dev",
  summary: "Start a live-reloading preview.",
  usage: "dev [DIR] [--port PORT] [--allow-host HOSTS]",
  example: "octavo dev docs",
  positionals: 1,
  options: {
    port: {
      type: "string",
      argument: "PORT",
      description: "Port to listen on. Default: 3000, or the next free port.",
    },
    "allow-host": allowHostOption,
    threads: threadsOption,
  },
  async run({ positionals, values }, terminal) {
    const folder = docsFolder(positionals[0]);
    const port = readPort(values.port, 3000);
    if (port === undefined) throw new UsageError("--port must be a number between 0 and 65535");

    const allowedHosts = readAllowHost(values["allow-host"]);

    const builder = terminal.startBuildProcess(
      (_, done, total) => terminal.progress("Reading pages", done, total),
      readThreads(values.threads),
      // If the process ends meanwhile, the build reports the reason.
      (found) => void show(found).catch(() => {}),
    );

    const cache = pageCache(folder, terminal);
    const events = new EventStreams();
    let paths = new Set<string>();
    let problems: Problem[] = [];
    let proxyOrigins = readProxyOrigins(undefined);
    let redirects = readRedirectTable(undefined);
    let openedRoute = "";
    const { promise: isReady, resolve: markReady } = withResolvers();

    const show = async (found: readonly string[] = []) => {
      redirects = readRedirectTable(await builder.file(redirectTablePath));
      proxyOrigins = readProxyOrigins(
        found.includes(proxyTablePath) ? await builder.file(proxyTablePath) : undefined,
      );
      paths = new Set(found);
      markReady();
      events.send({ type: "reload" });
    };

    const build = async () => {
      const started = performance.now();
      try {
        const result = await builder.build({
          folder,
          ...cache,
          output: { kind: "hold", target: authorTarget, first: openedRoute },
        });
        problems = result.problems;
        await show(result.paths);
        if (problems.length) terminal.note(`${formatProblems(problems, { ...terminal, most: 8 })}\n`);
        const duration_s = ((performance.now() - started) / 1000).toFixed(2);
        terminal.note(`${plural(result.pages, "page")} in ${duration_s} s, ${problemSummary(problems)}`);
      } catch (error) {
        problems = [failedBuild(error as Error)];
        terminal.note((error as Error).message);
        events.send({ type: "reload" });
      }

      markReady();
    };

    const source: ReadableSite = {
      has: (file) => paths.has(file),
      read: (file) => {
        if (file.endsWith(".html")) openedRoute = file.replace(/(?:^index)?\.html$/, "");
        return builder.file(file);
      },
    };

    const server = siteServer({
      source: () => source,
      redirects: () => redirects,
      proxyOrigins: () => proxyOrigins,
      allowedHosts,
      outboundAllow: terminal.outboundAllow,
      inject: `<script src="/${previewScriptPath}"></script>`,
      handle(pathname, response) {
        if (pathname === `/${previewScriptPath}`)
          response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(overlayScript);
        else if (pathname === `/${eventsPath}`) {
          events.open(response);
          events.send({ type: "problems", problems }, [response]);
        } else return false;
        return true;
      },
    });

    const watcher = watch(folder, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (file) => isSkipped(folder, file),
    });

    const rebuilder = new Rebuilder(build);
    watcher.on("all", rebuilder.soon);
    watcher.on("error", (error) =>
      terminal.note(`Some changes may not be detected: ${(error as Error).message}`),
    );
    void rebuilder.now();

    // As soon as there is a page, while the others are compiled.
    await isReady;
    terminal.out(`Ready at ${await listen(server, port)}`);
    await terminal.interrupted;
    await watcher.close();
    server.closeAllConnections();
    server.close();
    builder.end();

    return 0;
  },
};

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The connections of browsers that wait for events. */
class EventStreams {
  private readonly responses = new Set<ServerResponse>();

  open(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    this.responses.add(response);
    response.on("close", () => this.responses.delete(response));
  }

  send(event: object, to: Iterable<ServerResponse> = this.responses): void {
    for (const response of to) response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}

/** Runs builds one at a time. A request during a build starts another build afterward. */
class Rebuilder {
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private again = false;

  constructor(private readonly build: () => Promise<void>) {}

  /** Starts a build when the files haven't changed for a moment. */
  soon = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), settle_ms);
  };

  async now(): Promise<void> {
    this.again = true;
    if (this.isRunning) return;
    this.isRunning = true;
    while (this.again) {
      this.again = false;
      await this.build();
    }
    this.isRunning = false;
  }
}

const authorTarget = { kind: "cloud", links: "clean", readers: "author" } as const;

function isSkipped(folder: string, file: string): boolean {
  return isInSkippedFolder(path.relative(folder, file).replaceAll(path.sep, "/"));
}

function failedBuild({ message }: Error): Problem {
  return { code: "page-crashed", severity: "error", file: "docs.json", message: message.split("\n")[0]! };
}
