/** Gets a token with a code that the reader enters on a page of the authorization server (RFC 8628). */

import { endpointOf, type Grant, grantOf, type OAuthRequest, post, refusalOf } from "./oauth-token.ts";
import { webUrl } from "./server-url.ts";

/** What the reader does to sign in. */
export interface DeviceCode {
  code: string;
  /** URL of the page that asks for the code. */
  url: string;
  /** URL of the same page, which may already contain the code. */
  link: string;
}

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
/** Lifetime of a code, if the response doesn't contain it. */
const lifetime_s = 600;
/** Time between two requests for the token (sections 3.2 and 3.5). */
const interval_s = 5;
/** Added to the interval if the server asks for it (section 3.5). */
const slowDown_s = 5;

/** Calls `show` with the code, and resolves when the reader has entered it. Rejects with `OAuthError`. */
export async function getDeviceToken(
  request: OAuthRequest,
  show: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<Grant> {
  const tokenUrl = endpointOf(request, "tokenUrl");
  const scope = request.scopes.join(" ");
  const started = await post(
    request,
    endpointOf(request, "deviceAuthorizationUrl"),
    scope ? { scope } : {},
    signal,
  );

  const text = (key: string) => (typeof started[key] === "string" ? (started[key] as string) : undefined);
  const [device_code, code] = [text("device_code"), text("user_code")];
  const url = webUrl(text("verification_uri"), undefined);
  if (!device_code || !code || !url) throw refusalOf(started, "device_code, user_code, or verification_uri");
  show({ code, url, link: webUrl(text("verification_uri_complete"), undefined) ?? url });

  const end = Date.now() + (Number(started["expires_in"]) || lifetime_s) * 1_000;
  let wait_s = Math.max(1, Number(started["interval"]) || interval_s);
  while (Date.now() + wait_s * 1_000 < end) {
    await wait(wait_s, signal);
    const answer = await post(request, tokenUrl, { grant_type: grantType, device_code }, signal);
    if (answer["error"] === "slow_down") wait_s += slowDown_s;
    else if (answer["error"] !== "authorization_pending") return grantOf(request, answer);
  }

  throw refusalOf({ error: "expired_token" }, "");
}

/** Resolves after a time, or as soon as the signal is aborted. */
function wait(time_s: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time_s * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
