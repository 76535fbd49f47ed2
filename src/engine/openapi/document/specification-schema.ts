/**
 * The JSON Schemas of the OpenAPI specification. Compiling a schema takes longer than validating a large
 * document with it, so `scripts/build/specification-schemas.js` replaces this module with generated code when
 * the product is built.
 */

import { Validator } from "@seriousme/openapi-schema-validator";
import type { ValidateFunction } from "ajv";

export type OpenApiVersion = "3.0" | "3.1" | "3.2";

// A validator keeps the schemas that it has compiled. The library's `validate` would also resolve all
// references in a copy of the document.
const [firstError, everyError] = [false, true].map(
  (allErrors) =>
    new Validator({ allErrors }) as unknown as { getAjvValidator(version: string): ValidateFunction },
);

/**
 * Returns the function that validates documents of an OpenAPI version. `allErrors`: whether it finds all
 * errors, which takes longer.
 */
export async function specificationSchema(
  version: OpenApiVersion,
  allErrors: boolean,
): Promise<ValidateFunction> {
  return (allErrors ? everyError! : firstError!).getAjvValidator(version);
}
