// npm run docs:generate: writes the parts of our documentation that are generated from the source code.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { valuesSchema, valuesTables } from "./chart/values-schema.js";
import { root } from "./prepare.js";

/** The generated files of the Helm chart: path inside chart/ → content. */
export const generatedChart = () => ({ "values.schema.json": valuesSchema(), "README.md": chartReadme() });

/** The generated files: path inside docs/ → content. */
export async function generatedDocs() {
  const load = async (file) => {
    const outfile = path.join(
      root,
      "node_modules/.cache",
      `octavo-${path.basename(file, ".ts")}-${process.pid}.mjs`,
    );
    await build({
      entryPoints: [path.join(root, file)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      logLevel: "error",
    });
    const module = await import(pathToFileURL(outfile).href);
    rmSync(outfile);
    return module;
  };
  const { settingsPage, frontmatterPage, jsonSchemaFile } = await load(
    "src/engine/config/reference-pages.ts",
  );
  const { problemCodes } = await load("src/base/problem-codes.ts");
  const { describeApi } = await load("src/service/app/openapi-description.ts");
  const docs = {
    "reference/settings.mdx": settingsPage(),
    "reference/frontmatter.mdx": frontmatterPage(),
    "docs.schema.json": jsonSchemaFile(),
    "self-host/chart-values.mdx": chartValuesPage(),
    "openapi/octavo.json": `${JSON.stringify(describeApi("http://localhost:4000"), undefined, 2)}\n`,
  };
  for (const [code, entry] of Object.entries(problemCodes))
    docs[`problems/${code}.mdx`] = problemPage(code, entry);
  docs["problems/index.mdx"] = problemIndex(problemCodes);
  return docs;
}

const generatedFrom = "Generated from chart/values.yaml by npm run docs:generate.";

function chartValuesPage() {
  return `---\ntitle: Helm chart values\nsidebarTitle: Chart values\ndescription: All values of the Helm chart, with their defaults.\nicon: sliders-horizontal\nkeywords: ["values.yaml", "chart settings"]\nboost: 0.6\n---\n\n{/* ${generatedFrom} */}\n\nThese are all values of [the Helm chart](/self-host/kubernetes). The chart rejects unknown and invalid values. A value of \`null\` removes a default.\n\n${valuesTables("##")}`;
}

function chartReadme() {
  return `<!-- ${generatedFrom} -->\n\n# Octavo\n\nThis chart serves a site from a static export bundle, or runs the whole Octavo service. \`docs/self-host/kubernetes.mdx\` in the repository describes how to install and upgrade it.\n\n\`\`\`bash\nhelm upgrade --install docs . --namespace docs --create-namespace --set staticExport.enabled=true --set-string "staticExport.bundleUrl=$BUNDLE_URL"\n\`\`\`\n\n## Values\n\n${valuesTables("###")}`;
}

function problemPage(code, { severity, title, meaning, fix }) {
  const word =
    severity === "error"
      ? "**Error**: `octavo check` exits with code 1."
      : code === "file-renamed"
        ? "**Warning** of `octavo build` and `octavo export`, which still exit with code 0."
        : "**Warning**: `octavo check --strict` exits with code 1.";
  return `---\ntitle: ${JSON.stringify(title)}\nsidebarTitle: ${code}\ndescription: ${JSON.stringify(`The cause of ${code}, and how to fix it.`)}\n---\n\n{/* Generated from src/base/problem-codes.ts by npm run docs:generate. */}\n\n\`${code}\` · ${word}\n\n## What it means\n\n${meaning}\n\n## How to fix it\n\n${fix}\n`;
}

function problemIndex(codes) {
  const rows = Object.entries(codes).map(
    ([code, { severity, title }]) => `| [\`${code}\`](/problems/${code}) | ${severity} | ${title} |`,
  );
  return `---\ntitle: Problems\ndescription: Every error and warning that Octavo reports about a documentation folder, and how to fix it.\nicon: triangle-exclamation\n---\n\n{/* Generated from src/base/problem-codes.ts by npm run docs:generate. */}\n\nOctavo shows the location of each problem and, if possible, an excerpt from the source and how to fix it. Pages with problems are still published, with everything that could be read.\n\n| Code | Severity | Title |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const docs = path.join(root, "docs");
  mkdirSync(path.join(docs, "problems"), { recursive: true });
  for (const file of readdirSync(path.join(docs, "problems"))) rmSync(path.join(docs, "problems", file));
  for (const [file, content] of Object.entries(generatedChart()))
    writeFileSync(path.join(root, "chart", file), content);
  for (const [file, content] of Object.entries(await generatedDocs())) {
    mkdirSync(path.dirname(path.join(docs, file)), { recursive: true });
    writeFileSync(path.join(docs, file), content);
  }
}
