// Generates the code that validates OpenAPI documents, so that builds don't have to compile the
// specification's JSON Schemas.
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const versions = ["3.0", "3.1", "3.2"];

/**
 * esbuild plugin that replaces `specification-schema.ts`. The code for each version is a chunk that is loaded
 * when it's needed.
 */
export const specificationSchemas = {
  name: "specification-schemas",
  setup(build) {
    const module = (contents) => ({ contents, loader: "js", resolveDir: root });
    const cases = versions
      .flatMap((version) => [version, `${version} all`])
      .map((name) => `${JSON.stringify(name)}: () => import("openapi-schema:${name}"),`)
      .join("\n");
    build.onLoad({ filter: /[\\/]specification-schema\.ts$/ }, () =>
      module(
        `const load = {\n${cases}\n};\nexport const specificationSchema = async (version, all) => (await load[all ? version + " all" : version]()).default;`,
      ),
    );
    build.onResolve({ filter: /^openapi-schema:/ }, ({ path: name }) => ({
      path: name.split(":")[1],
      namespace: "openapi-schema",
    }));
    build.onLoad({ filter: /^/, namespace: "openapi-schema" }, ({ path: name }) => {
      const [version, all] = name.split(" ");
      return module(validatorCode(version, all !== undefined));
    });
  },
};

/** Code of an ES module whose default export validates documents of an OpenAPI version, such as `3.1`. */
export function validatorCode(version, allErrors) {
  const options = { allErrors, code: { source: true, esm: true } };
  return standalone.default(new Ajv(options), new Validator(options).getAjvValidator(version));
}
