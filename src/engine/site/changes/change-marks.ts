import { fill, type SiteMessages } from "../../i18n/messages.ts";
import { stablePlace } from "../../openapi/changes/stable-place.ts";
import type { Refs } from "../../openapi/nodes/refs.ts";
import type { FieldMarks } from "../../reference/field-marks.ts";
import type { PlaceMarks } from "./change-list.ts";

/** Labels with the versions in which parts of a document changed, such as "Added in 2.3". */
export class ChangeMarks implements FieldMarks {
  private readonly marks: Readonly<Record<string, PlaceMarks>>;
  private readonly refs: Refs;
  private readonly messages: SiteMessages;

  constructor(marks: Readonly<Record<string, PlaceMarks>>, refs: Refs, messages: SiteMessages) {
    this.marks = marks;
    this.refs = refs;
    this.messages = messages;
  }

  ofOperation(key: string): string[] {
    return Object.hasOwn(this.marks, key) ? this.labels(this.marks[key]!) : [];
  }

  ofField(pointers: readonly string[]): string[] {
    const found = pointers.flatMap((pointer) => {
      const place = stablePlace(this.refs, pointer);
      return Object.hasOwn(this.marks, place) ? this.labels(this.marks[place]!) : [];
    });
    return [...new Set(found)];
  }

  private labels({ added, deprecated, changed }: PlaceMarks): string[] {
    const { addedIn, deprecatedSince, changedIn } = this.messages;
    return [
      added === undefined ? [] : fill(addedIn, { version: added }),
      deprecated === undefined ? [] : fill(deprecatedSince, { version: deprecated }),
      changed === undefined || changed === deprecated ? [] : fill(changedIn, { version: changed }),
    ].flat();
  }
}
