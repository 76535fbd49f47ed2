// Generates the code that validates OpenAPI documents, so that builds don't have to compile the specification's JSON Schemas.
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const versions = ["3.0", "3.1", "3.2"];

/** esbuild plugin that replaces `specification-schema.ts`. The code for each version is a chunk that is loaded when it's needed. */
export const specificationSchemas = {
  name: "specification-schemas",
  setup(build) {
    const module = (contents) => ({ contents, loader: "js", resolveDir: root });
    const cases = versions.map((version) => `${JSON.stringify(version)}: () => import("openapi-schema:${version}"),`).join("\n");
    build.onLoad({ filter: /[\\/]specification-schema\.ts$/ }, () =>
      module(`const load = {\n${cases}\n};\nexport const specificationSchema = async (version) => (await load[version]()).default;`),
    );
    build.onResolve({ filter: /^openapi-schema:/ }, ({ path: name }) => ({ path: name.split(":")[1], namespace: "openapi-schema" }));
    build.onLoad({ filter: /^/, namespace: "openapi-schema" }, ({ path: version }) => module(validatorCode(version)));
  },
};

/** Code of an ES module whose default export validates documents of an OpenAPI version, such as `3.1`. */
export function validatorCode(version) {
  const options = { code: { source: true, esm: true } };
  return standalone.default(new Ajv(options), new Validator(options).getAjvValidator(version));
}
