/** Hook that loads the components that the fields on screen reference. */

import { useEffect, useState } from "preact/hooks";
import type { DocumentPart } from "./document-part.ts";

export interface MissingParts {
  /** Changes when more of the document has been loaded. */
  version: number;
  hasFailed: boolean;
  load(): void;
}

/** Loads missing components after each rendering. After a failure, loads them only when `load` is called. */
export function useMissingParts(part: DocumentPart): MissingParts {
  const [version, setVersion] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    part.loadMissing().then(
      (isLoaded) => isLoaded && setVersion((before) => before + 1),
      () => setFailed(true),
    );
  };

  // After each rendering: new fields may refer to components that have not been loaded.
  useEffect(() => {
    if (part.refs.missing.size > 0 && !hasFailed) load();
  });
  return { version, hasFailed, load };
}
