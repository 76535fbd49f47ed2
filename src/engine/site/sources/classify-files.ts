/**
 * Classifies the files of a documentation folder into pages, snippets and served files, and finds the files
 * that a build may read.
 */

import ignore from "ignore";
import { type Files, readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import { isReserved, siteFolder } from "../../../layout/site-layout.ts";
import { isIndexEntry, isPageFile, routeOfFile } from "../../paths.ts";
import type { BuildOptions } from "../build-options.ts";
import type { WrittenPage } from "./api-pages.ts";
import { scanMarkdownFiles } from "./scan-markdown-files.ts";
import { isSkill, readSkills, type Skill, skillFolder } from "./skills.ts";

/** Recommended maximum size of a served file, in bytes. Larger files are reported as a warning. */
const servedFile_bytes = 20 * 1024 * 1024;

/** A Markdown file that isn't a page, and the reason, such as `in a folder for snippets`. */
export interface NotPage {
  file: string;
  reason: string;
}

export interface SiteFiles {
  /** Files of pages, by route. */
  pages: Map<string, string>;
  /** The same pages, with the operations that they show. */
  written: Map<string, WrittenPage>;
  /** Paths of the files that are served, except for pages. */
  served: string[];
  /** Names of the OpenAPI documents in the frontmatter of pages. */
  apiDocuments: string[];
  /** Skills for agents. */
  skills: Skill[];
  /** Hashes of the MDX and Markdown files, by path. */
  hashes: ReadonlyMap<string, string>;
  /** Markdown files that aren't pages. Without files that have a problem. */
  notPages: NotPage[];
  /** Routes of files with unsafe names or in the reserved folder. */
  rejected: Set<string>;
  problems: Problem[];
}

const ignoredByDefault = [
  ".git",
  ".github",
  ".*/",
  ".*",
  "!/.well-known/",
  "!/.mintlify/",
  "/.mintlify/*",
  "!/.mintlify/skills/",
  "node_modules",
  // Output folders of tools, and files about the repository. Only ignored at the root.
  "/build",
  "/dist",
  "/coverage",
  "/tmp",
  "/temp",
  "/README.md",
  "/LICENSE.md",
  "/CHANGELOG.md",
  "/CONTRIBUTING.md",
];

/** Matches files for people who work on the repository. They're only pages if the navigation lists them. */
const repositoryFile = /(?:^|\/)(?:(?:readme|license|contribut(?:e|ing))\.mdx?|code_of_conduct\.md)$/i;
/**
 * Matches instructions for agents that work on the repository. A page can have one of these names in other
 * capitals, or end in `.mdx`.
 */
const instructionFile = /(?:^|\/)(?:AGENTS|CLAUDE)\.md$/;
/** Matches files for agents, which are served unchanged unless the navigation lists them. */
const skillFile = /(?:^|\/)skill\.md$/i;

const ignoreFiles = [".octavoignore", ".mintignore"];

const neverServed = new Set(["docs.json", "mint.json", "package.json", "package-lock.json", "tsconfig.json"]);

/**
 * Classifies the files of a folder. `listed`: routes in the navigation, each with whether the entry names the
 * index page of a folder. The files of these routes are pages, even if the files are ignored or in a folder
 * for snippets.
 */
export function classifyFiles(
  files: Files,
  listed: ReadonlyMap<string, boolean>,
  options: Pick<BuildOptions, "store" | "generator">,
): SiteFiles {
  const problems: Problem[] = [];
  const notPages: NotPage[] = [];
  const rules = ignoreRules(files);
  const outputs = outputFolders(files);
  const isDefault = ignore().add(ignoredByDefault);
  const allowed = files.paths.filter((path) => {
    const isPage = isPageFile(path);
    if ((listed.has(routeOfFile(path)) && isPage) || !rules.ignores(path)) return true;
    if (isPage && !outputs.some((folder) => path.startsWith(folder)))
      notPages.push({
        file: path,
        reason: isDefault.ignores(path) ? "always ignored" : "matches a rule in an ignore file",
      });
    return false;
  });

  const rejected = new Set<string>();
  const safe = allowed.filter((path) => {
    const hasUnsafeName = /[\u0000-\u001f\\]/.test(path);
    if (!hasUnsafeName && !isReserved(path)) return true;
    const message = hasUnsafeName
      ? "The file name contains characters that URLs don't support"
      : `The folder ${siteFolder} is reserved for Octavo's files`;
    problems.push(problem("unsafe-path", { file: path }, message));
    rejected.add(routeOfFile(path));
    return false;
  });

  const unlisted = safe.filter((path) => !(isPageFile(path) && listed.has(routeOfFile(path))));
  const skillFolders = new Set(unlisted.filter(isSkill).flatMap((path) => skillFolder(path) ?? []));
  const isInSkill = (path: string) => skillFolders.has(skillFolder(path) ?? "");
  const { skills, problems: skillProblems } = readSkills(files, unlisted);
  problems.push(...skillProblems);

  const markdownFiles = safe.filter(isPageFile);
  const { imported, described, operations, hashes } = scanMarkdownFiles(files, markdownFiles, options);

  const pages = new Map<string, string>();
  for (const path of markdownFiles) {
    const route = routeOfFile(path);
    const reason = listed.has(route)
      ? undefined
      : isInSkill(path)
        ? "part of a skill for agents, which is served unchanged"
        : reasonAgainstPage(path, imported);
    if (reason !== undefined) {
      notPages.push({ file: path, reason });
      continue;
    }
    const known = pages.get(route);
    if (known === undefined) {
      pages.set(route, path);
      continue;
    }
    const isListed = listed.get(route) === true && isIndexEntry(path) && !isIndexEntry(known);
    if (isListed) pages.set(route, path);
    const [served, other] = isListed ? [path, known] : [known, path];
    const why =
      listed.has(route) && isIndexEntry(served) !== isIndexEntry(other)
        ? ", because the navigation lists it"
        : "";
    problems.push(
      problem(
        "path-conflict",
        { file: other },
        `The file isn't served: ${served} is served at /${route}${why}`,
        "Rename or remove one of the files.",
      ),
    );
  }

  const served = safe.filter((path) => {
    const isPage =
      isPageFile(path) && !((skillFile.test(path) || isInSkill(path)) && !listed.has(routeOfFile(path)));
    return !isPage && isServed(path);
  });
  problems.push(...served.flatMap((path) => largeFile(path, files)));

  const apiDocuments = [...pages.values()].flatMap((path) => described.get(path) ?? []);

  const written = new Map(
    [...pages].map(([route, file]): [string, WrittenPage] => {
      const operation = operations.get(file);
      return [route, { file, ...(operation === undefined ? {} : { operation }) }];
    }),
  );

  return { pages, written, served, apiDocuments, skills, hashes, notPages, rejected, problems };
}

/** Whether a file that isn't a page is served at its path. */
function isServed(path: string): boolean {
  const isSource = /\.(?:jsx|tsx|ts)$/.test(path) || neverServed.has(path) || ignoreFiles.includes(path);
  return !isSource && !path.startsWith(".mintlify/");
}

/** Returns a problem if a served file is large, or none. */
function largeFile(path: string, files: Files): Problem[] {
  const size = files.size(path);
  if (size <= servedFile_bytes) return [];
  const message = `The file is ${megabytes(size)} MB (recommended maximum: ${megabytes(servedFile_bytes)} MB)`;
  return [problem("file-too-large", { file: path }, message)];
}

/** Returns why a file that the navigation doesn't list isn't a page. Undefined if it's a page. */
function reasonAgainstPage(path: string, imported: ReadonlySet<string>): string | undefined {
  if (isSnippetPath(path)) return "in a folder for snippets";
  if (imported.has(path)) return "imported by a page";
  if (repositoryFile.test(path)) return "about the repository";
  if (instructionFile.test(path)) return "instructions for agents";
  if (skillFile.test(path)) return "a skill for agents, which is served unchanged";
  return undefined;
}

/**
 * Returns the paths of the files that a build may read: files that aren't ignored, the ignore files
 * themselves, and ignored pages, code, style sheets and data files.
 */
export function buildFiles(files: Files): string[] {
  const rules = ignoreRules(files);
  const outputs = outputFolders(files);
  return files.paths.filter(
    (path) =>
      !outputs.some((folder) => path.startsWith(folder)) &&
      (!rules.ignores(path) ||
        ignoreFiles.includes(path) ||
        /\.(?:mdx?|[jt]sx?|json|ya?ml|css)$/i.test(path)),
  );
}

/** Returns the folders that contain the output of an earlier build, each with a slash at the end. */
function outputFolders({ paths }: Files): string[] {
  const found = paths.map((path) => path.slice(0, Math.max(0, path.indexOf(`/${siteFolder}`) + 1)));
  return [...new Set(found)].filter((folder) => folder !== "");
}

function ignoreRules(files: Files) {
  const rules = ignore().add(ignoredByDefault);
  rules.add(outputFolders(files).map((folder) => `/${folder.replace(/[\\*?[\]!# ]/g, "\\$&")}`));
  for (const name of ignoreFiles) {
    const text = readText(files, name);
    if (text !== undefined) rules.add(text);
  }
  return rules;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function isSnippetPath(path: string): boolean {
  return /(?:^|\/)_?snippets\//.test(path);
}
