import type { Terminal } from "../cli/terminal.ts";
import { DataLocked } from "../io/data-lock.ts";
import { FolderNotPrivate } from "../io/private-folder.ts";
import { systemErrorText } from "../io/system-error.ts";
import { ConfigurationError } from "./service-configuration.ts";
import { keepHeapSmall } from "./small-heap.ts";

const portTaken = ". Stop the process that uses it, or set PORT or OCTAVO_INTERNAL_PORT to a different port.";

/**
 * Runs a server. Resolves with its exit code. Prints errors that the operator can fix, which include those of
 * the kind `Fixable`, and resolves with 2.
 */
export async function runServer(
  run: () => Promise<number>,
  Fixable: new (...args: never[]) => Error,
  terminal: Pick<Terminal, "note">,
): Promise<number> {
  keepHeapSmall();
  try {
    return await run();
  } catch (error) {
    const isPortTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    const kinds = [ConfigurationError, DataLocked, FolderNotPrivate, Fixable];
    if (!isPortTaken && !kinds.some((kind) => error instanceof kind)) throw error;
    terminal.note(isPortTaken ? systemErrorText(error) + portTaken : (error as Error).message);
    return 2;
  }
}
