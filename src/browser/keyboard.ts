/** Whether an element is, or is inside, a form field or editable text. */
export function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether the pressed keys are Control or Command and the given letter. */
export function isShortcut(event: KeyboardEvent, letter: string): boolean {
  return (
    (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === letter
  );
}
