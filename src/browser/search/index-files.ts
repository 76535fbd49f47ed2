/**
 * Loads the files of the search index. The files are classic scripts, so that they also load from disk. Each
 * calls `octavoSearch`.
 */

import type { Payload } from "../../engine/search/index-format.ts";
import type { LoadPart } from "../../engine/search/search-index.ts";
import { searchFilePath } from "../../layout/site-layout.ts";
import { siteBase } from "../site-urls.ts";

type FileCallback = (version: string, payload: Payload) => void;

/**
 * Callbacks by script element, because files of two deployments with the same name may load at the same time.
 */
const waiting = new WeakMap<HTMLOrSVGScriptElement, FileCallback>();

Object.assign(globalThis, {
  octavoSearch(_name: string, version: string, payload: Payload) {
    if (document.currentScript) waiting.get(document.currentScript)?.(version, payload);
  },
});

/**
 * Returns a function that loads parts of the index. If a part's version differs from the version in the head
 * (the first file of the index), the site was redeployed. The loader then calls `onChange` and rejects.
 * `isReloaded`: whether the index is opened again after a redeployment. If so, the head isn't read from a
 * cache.
 */
export function indexFiles(language: string, isReloaded: boolean, onChange: () => void): LoadPart {
  return async (name, version) => {
    // The query bypasses cached files of the previous deployment.
    const query = version ? `?${version}` : isReloaded ? `?${Date.now()}` : "";
    const file = await load(new URL(searchFilePath(name, { language }) + query, siteBase()).href);
    if (version !== undefined && file.version !== version) {
      onChange();
      throw new Error(`${name} is from a different deployment`);
    }
    return file.payload;
  };
}

function load(href: string): Promise<{ version: string; payload: Payload }> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: href });
    waiting.set(script, (version, payload) => resolve({ version, payload }));
    // If the script has loaded, it has called `octavoSearch`, and rejecting has no effect.
    script.onload = script.onerror = () => {
      script.remove();
      reject(new Error(href));
    };
    document.head.append(script);
  });
}
