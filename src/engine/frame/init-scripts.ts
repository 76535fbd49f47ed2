/** Contains the scripts that run before the page or the sidebar is displayed. */

/**
 * Script that sets `k` to the end of the site's keys in the browser's storage, as `src/browser/storage.ts`
 * does: sites below different paths of a host share its storage.
 */
const setKeyEnd =
  'var k=location.protocol==="file:"?"":(" "+new URL(document.documentElement.dataset.root||"./",location.href).pathname).replace(/^ \\/$/,"");';

/** Returns an expression for the key of a value in the browser's storage. */
function storedKey(name: string, isBelowPath: boolean): string {
  return isBelowPath ? `"${name}"+k` : `"${name}"`;
}

/**
 * Runs in the head, before the first paint: sets the color mode and the class `js`, hides a dismissed banner,
 * reserves space for an open assistant, and preloads fonts. Doesn't preload fonts on pages from disk, where
 * browsers don't support this. Reads its settings from data attributes of `<html>`. Uses the defaults if
 * storage isn't available. `isBelowPath`: whether the site's URL has a path.
 */
export function themeInit(isBelowPath: boolean): string {
  const [mode, open, banner] = ["octavo-mode", "octavo-assistant-open", "octavo-banner"].map((name) =>
    storedKey(name, isBelowPath),
  );
  return `(function(){${isBelowPath ? setKeyEnd : ""}var h=document.documentElement,d=h.dataset,m=d.mode,s;h.classList.add("js");try{s=localStorage;if(!("strict"in d))m=s[${mode}]||m;if(sessionStorage[${open}])h.classList.add("o-assisted");if(d.banner&&s[${banner}]===d.banner)h.classList.add("o-no-banner")}catch(e){}if(m==="dark"||m!=="light"&&matchMedia("(prefers-color-scheme:dark)").matches)h.classList.add("dark");if(d.fonts&&location.protocol!=="file:")d.fonts.split(" ").forEach(function(f){var l=document.createElement("link");l.rel="preload";l.as="font";l.type="font/woff2";l.crossOrigin="";l.href=f;document.head.append(l)})})()`;
}

/**
 * Runs in the head, after octavo.config.js and before the first paint: sets a class for each feature that is
 * off. Such features are neither shown nor loaded. On air-gapped sites and on pages from disk, the assistant,
 * analytics (including services) and external content are always off.
 */
export const featureInit = `(function(){var h=document.documentElement,c=window.octavoConfig||{},f=location.protocol==="file:",a=(c.kind||h.dataset.kind)==="air-gapped";function off(n,is){if(is)h.classList.add("o-no-"+n)}off("search",a?c.search!=="local":c.search===false);off("assistant",a||f||c.assistant!==true);off("analytics",a||f||c.analytics!==true);off("services",a||f||c.analytics===false);off("playground",a?c.playground!==true:c.playground===false);off("send",c.send===false);off("outside",a||f)})()`;

/**
 * Runs in the head of pages without inline parts, where the images of style sheets are files. Browsers don't
 * load mask images for pages from disk, so this script replaces each style sheet with image files, before it
 * loads, with a variant with inline images.
 */
export const diskStylesInit = `if(location.protocol==="file:")new MutationObserver(function(){document.querySelectorAll("link[data-disk]").forEach(function(l){l.href=l.dataset.disk;l.removeAttribute("data-disk")})}).observe(document,{childList:true,subtree:true})`;

/**
 * Runs right after the sidebar: restores the scroll position before the sidebar is displayed. Does nothing if
 * the sidebar wasn't scrolled, because setting a scroll position makes browsers compute the layout before the
 * rest of the page is read.
 */
export function sidebarInit(isBelowPath: boolean): string {
  const position = `sessionStorage[${storedKey("octavo-nav", isBelowPath)}]`;
  return `try{${isBelowPath ? setKeyEnd : ""}${position}>0&&((self["o-sidebar"]||sidebar).scrollTop=${position})}catch(e){}`;
}
