/** Converts between URIs of an editor and paths in the documentation folder. */

import { realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export class DocsPaths {
  readonly folder: string;
  private readonly folders: readonly string[];

  constructor(folder: string) {
    this.folder = folder;
    this.folders = [...new Set([folder, realpathSync(folder)])];
  }

  /** Returns the path of a file in the folder, with forward slashes. Undefined for other URIs. */
  fileOf(uri: string): string | undefined {
    if (!uri.startsWith("file:")) return undefined;
    try {
      const full = fileURLToPath(uri);
      for (const folder of this.folders) {
        const relative = path.relative(folder, full);
        if (relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative))
          return relative.split(path.sep).join("/").normalize("NFC");
      }
    } catch {
      // The URI has another host, or isn't valid.
    }
    return undefined;
  }

  uriOf(file: string): string {
    return pathToFileURL(path.join(this.folder, file)).href;
  }
}
