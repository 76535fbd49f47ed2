/** Reads a form with a file, as browsers send it (multipart/form-data). */

import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { AppError, invalid } from "../../base/app-error.ts";

/** Maximum number of fields before the file. `field_bytes`: maximum size of each field. */
const fields_count = 20;
const field_bytes = 10_000;

export interface FileForm {
  /** Fields before the file. */
  form: URLSearchParams;
  /** The file, which must be read or destroyed; undefined if the form has none. */
  file: Readable | undefined;
}

/**
 * Reads the fields and resolves when the file begins. Fields after the file are ignored. Throws or rejects
 * with an AppError if the body isn't a multipart form. `file` fails with an AppError if the upload is
 * interrupted.
 */
export function readFileForm(request: IncomingMessage): Promise<FileForm> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data;"))
    throw new AppError("wrong-type", "Content-Type must be multipart/form-data");

  return new Promise((resolve, reject) => {
    const form = new URLSearchParams();
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { ...request.headers, "content-type": type },
        limits: { files: 1, fields: fields_count, fieldSize: field_bytes, headerPairs: 20 },
      });
    } catch {
      return reject(invalid("Couldn't read the form. Reload the page and try again."));
    }

    parser.on("field", (name, value) => form.append(name, value));

    parser.on("file", (_name, file, fileName) => {
      request.once(
        "close",
        () =>
          request.complete || file.destroy(new AppError("invalid", "The upload was interrupted. Try again.")),
      );
      if (fileName !== "" && fileName !== undefined) return resolve({ form, file });
      // A file field without a chosen file.
      file.resume();
      resolve({ form, file: undefined });
    });

    parser.on("finish", () => resolve({ form, file: undefined }));
    parser.on("error", () => reject(invalid("Couldn't read the form. Reload the page and try again.")));
    request.pipe(parser);
  });
}
