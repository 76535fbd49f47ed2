/** Creates the responses of the dashboard's handlers. */

import type { Readable } from "node:stream";
import type { ComponentChild } from "preact";
import type { FormErrors } from "./kit/form-errors.tsx";
import type { NoticeName } from "./notices.ts";

export type DashboardResponse =
  | {
      kind: "page";
      title: string;
      body: ComponentChild;
      status: number;
      hasChart: boolean;
      headers?: Record<string, string>;
      /** Errors in the submitted form, if the page shows the form again. */
      errors?: FormErrors;
    }
  | { kind: "redirect"; to: string }
  | { kind: "image"; type: string; bytes: Buffer }
  | { kind: "download"; fileName: string; type: string; body: Readable };

export function page(
  title: string,
  body: ComponentChild,
  { status = 200, hasChart = false } = {},
): DashboardResponse {
  return { kind: "page", title, body, status, hasChart };
}

/** Creates a redirect to a URL. `notice`: name of the message to show on the target page. */
export function redirect(to: string, notice?: NoticeName): DashboardResponse {
  const separator = to.includes("?") ? "&" : "?";
  return { kind: "redirect", to: notice === undefined ? to : `${to}${separator}done=${notice}` };
}

/** Creates a response with an uploaded image. `type`: media type. */
export function image(type: string, bytes: Buffer): DashboardResponse {
  return { kind: "image", type, bytes };
}

export function download(fileName: string, type: string, body: Readable): DashboardResponse {
  return { kind: "download", fileName, type, body };
}
