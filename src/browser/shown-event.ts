/** Tells scripts that a tab or view has shown hidden content. */

const shown = "octavo:shown";

/** Emits an event. Call this after a tab or view has shown hidden content. */
export function emitShown(): void {
  document.dispatchEvent(new Event(shown));
}

/** Calls `run` whenever `emitShown` is called. */
export function onShown(run: () => void): void {
  document.addEventListener(shown, run);
}
