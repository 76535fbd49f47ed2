/**
 * Shows an Octavo documentation folder in an Astro site: its pages in your layout, and its files, search
 * index, and styles at the same URLs as in a static build.
 */

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSite } from "octavo/engine";

const virtual = "virtual:octavo";

/**
 * `folder`: documentation folder. `base`: path of the documentation in the Astro site. `page`: Astro component
 * that shows a page, from the root of the Astro project.
 */
export default function octavo({ folder = "docs", base = "/docs", page = "./src/octavo-page.astro" } = {}) {
  let site;
  let origin = "http://localhost";

  /** Builds the site once, and then only what changed. Returns whether pages are different. */
  async function read(logger) {
    if (!site) {
      site = await buildSite(folder, { links: "clean", url: new URL(base, origin).href });
    } else {
      const update = await site.update();
      site = update.site;
      if (update.added.length + update.changed.length + update.removed.length === 0) return false;
    }
    for (const { severity, file, line, message } of site.problems)
      logger[severity === "error" ? "error" : "warn"](`${file}:${line ?? 1} ${message}`);
    return true;
  }

  /** The module that pages import: all pages with their HTML, and the navigation. */
  const moduleText = () => {
    const pages = site.pages.map((each) => ({ ...each, ...site.renderParts(each.route) }));
    return `export const base = ${JSON.stringify(base)};
export const pages = ${JSON.stringify(pages)};
export const navigation = ${JSON.stringify(site.navigation)};`;
  };

  /** Paths of the files that Astro doesn't generate. */
  const otherFiles = () => {
    const documents = new Set(site.pages.map(({ path }) => path));
    return site.paths.filter((file) => !documents.has(file));
  };

  const plugin = {
    name: "octavo",
    resolveId: (id) => (id === virtual ? `\0${virtual}` : undefined),
    load: (id) => (id === `\0${virtual}` ? moduleText() : undefined),
  };

  return {
    name: "octavo",
    hooks: {
      "astro:config:setup": async ({ config, injectRoute, updateConfig, logger }) => {
        origin = config.site ?? origin;
        await read(logger);
        injectRoute({
          pattern: `${base}/[...route]`,
          entrypoint: fileURLToPath(new URL(page, config.root)),
          prerender: true,
        });
        updateConfig({ vite: { plugins: [plugin] } });
      },

      "astro:server:setup": ({ server, logger }) => {
        server.middlewares.use((request, response, next) => {
          const { pathname } = new URL(request.url, origin);
          const file = pathname.startsWith(`${base}/`) ? decodeURI(pathname.slice(base.length + 1)) : "";
          const content = otherFiles().includes(file) ? site.read(file) : undefined;
          if (!content) return next();
          const types = { ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };
          response.setHeader("content-type", types[path.extname(file)] ?? "application/octet-stream");
          response.end(content);
        });

        server.watcher.add(folder);
        server.watcher.on("all", async (_, file) => {
          if (path.relative(folder, file).startsWith("..") || !(await read(logger))) return;
          const loaded = server.moduleGraph.getModuleById(`\0${virtual}`);
          if (loaded) server.moduleGraph.invalidateModule(loaded);
          server.ws.send({ type: "full-reload" });
        });
      },

      "astro:build:done": async ({ dir, logger }) => {
        const files = otherFiles();
        for (const file of files) {
          const target = path.join(fileURLToPath(dir), base, file);
          await mkdir(path.dirname(target), { recursive: true });
          await writeFile(target, site.read(file));
        }
        logger.info(`${site.pages.length} pages and ${files.length} other files of ${folder}`);
      },
    },
  };
}
