/** The files of the search index: classic scripts, so that they load from disk too. Each tells its name, its version, and what it holds. */

import type { LoadPart } from "../../engine/search/search-index.ts";
import { searchFilePath } from "../../layout/site-layout.ts";
import { siteBase } from "../site-address.ts";

type Told = (version: string, payload: string) => void;

/** By the script that tells: two of one name may be on their way, of a deployment and of the one before. */
const waiting = new WeakMap<HTMLOrSVGScriptElement, Told>();

Object.assign(globalThis, {
  octavoSearch(_name: string, version: string, payload: string) {
    if (document.currentScript) waiting.get(document.currentScript)?.(version, payload);
  },
});

/** A part of another version than the head says means that the site was deployed anew: `onChange` is told, and the part rejects. */
export function indexFiles(language: string, isReloaded: boolean, onChange: () => void): LoadPart {
  return async (name, version) => {
    // A cache keeps what it has under an address of before.
    const query = version ? `?${version}` : isReloaded ? `?${Date.now()}` : "";
    const told = await load(new URL(searchFilePath(name, { language }) + query, siteBase()).href);
    if (version !== undefined && told.version !== version) {
      onChange();
      throw new Error(`${name} is of another version`);
    }
    return told.payload;
  };
}

function load(href: string): Promise<{ version: string; payload: string }> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: href });
    waiting.set(script, (version, payload) => resolve({ version, payload }));
    // Told before this, or not at all.
    script.onload = () => {
      script.remove();
      reject(new Error(`${href} says nothing`));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(href));
    };
    document.head.append(script);
  });
}
