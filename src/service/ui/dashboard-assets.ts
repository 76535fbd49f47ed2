/**
 * Provides the style sheets, scripts, fonts and icon of the dashboard. The file names in their URLs contain a
 * content hash.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export interface Asset {
  type: string;
  bytes: Buffer;
}

export class DashboardAssets {
  private readonly hrefs = new Map<string, string>();
  private readonly files = new Map<string, Asset>();

  /** `folder`: output folder of the dashboard's build. */
  constructor(folder: string) {
    for (const name of readdirSync(folder)) {
      const { name: base, ext } = path.parse(name);
      const bytes = readFileSync(path.join(folder, name));
      // Names of fonts already contain a hash, and the style sheet refers to them.
      if (ext === ".woff2") {
        this.files.set(name, { type: types[ext]!, bytes });
        continue;
      }
      const hashed = `${base}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}${ext}`;
      this.files.set(hashed, { type: types[ext] ?? "application/octet-stream", bytes });
      this.hrefs.set(name, `/dashboard/assets/${hashed}`);
    }
  }

  /** Returns the URL path of a file such as `dashboard.css`. Throws for fonts and missing files. */
  href(name: string): string {
    const href = this.hrefs.get(name);
    if (href === undefined) throw new Error(`Dashboard file not found: ${name}`);
    return href;
  }

  /** Returns an asset; undefined if there is none. `name`: last segment of the URL. */
  file(name: string): Asset | undefined {
    return this.files.get(name);
  }
}
