/**
 * Gets a token with an OAuth 2.0 flow (RFC 6749, section 4): authorization code with PKCE (RFC 7636), client
 * credentials, password, implicit or device code (RFC 8628).
 */

import { toBase64Url } from "./base64-url.ts";
import { type DeviceCode, getDeviceToken } from "./device-flow.ts";
import { endpointOf, type Grant, OAuthError, type OAuthRequest, raise, requestToken } from "./oauth-token.ts";

/**
 * Gets an access token. Rejects with `OAuthError`. `show` is called with the code of the device flow.
 * `signal` cancels the flow.
 */
export async function getToken(
  request: OAuthRequest,
  show: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<Grant> {
  const { flow } = request;
  if (flow.flow === "implicit") {
    const answer = await signIn(request, { response_type: "token" }, signal);
    const value = answer.get("access_token") ?? raise("failed", "no access_token in the response");
    return { value, renewal: undefined };
  }

  if (flow.flow === "deviceAuthorization") return getDeviceToken(request, show, signal);

  if (flow.flow === "authorizationCode") {
    if (!crypto.subtle) throw new OAuthError("file");
    const verifier = randomText();
    const challenge = challengeOf(verifier).then((code_challenge) => ({
      response_type: "code",
      code_challenge,
      code_challenge_method: "S256",
    }));
    const answer = await signIn(request, challenge, signal);
    const code = answer.get("code") ?? raise("failed", "code");
    return requestToken(
      request,
      { grant_type: "authorization_code", code, redirect_uri: request.redirect, code_verifier: verifier },
      signal,
    );
  }

  const scope = request.scopes.join(" ");
  const scopes: Record<string, string> = scope ? { scope } : {};
  if (flow.flow === "clientCredentials")
    return requestToken(request, { grant_type: "client_credentials", ...scopes }, signal);

  return requestToken(
    request,
    { grant_type: "password", username: request.username, password: request.password, ...scopes },
    signal,
  );
}

/** Opens the authorization server's page in a window and waits for the authorization response. */
async function signIn(
  request: OAuthRequest,
  parameters: Record<string, string> | Promise<Record<string, string>>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  if (!/^https?:$/.test(location.protocol)) throw new OAuthError("file");

  const url = new URL(endpointOf(request, "authorizationUrl"));

  // WebKit allows a window only before anything is awaited after the click.
  const opened = open("about:blank", "octavo-oauth", "popup,width=520,height=720");
  if (!opened) throw new OAuthError("window");
  removeOpener(opened);

  const state = randomText();
  const query = {
    ...(await parameters),
    client_id: request.clientId,
    redirect_uri: request.redirect,
    scope: request.scopes.join(" "),
    state,
  };

  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);

  return new Promise((resolve, reject) => {
    // Without an opener, the response arrives through the channel.
    const channel = new BroadcastChannel("octavo-oauth");
    const end = () => {
      removeEventListener("message", onMessage);
      channel.close();
      signal.removeEventListener("abort", stop);
    };

    const stop = () => {
      end();
      opened.close();
      reject(new OAuthError("cancelled"));
    };

    const receive = (data: unknown, isFromOpened: boolean) => {
      const text =
        typeof data === "object" && data !== null && "octavoOAuth" in data
          ? (data as { octavoOAuth: unknown }).octavoOAuth
          : undefined;
      if (typeof text !== "string") return;
      const answer = new URLSearchParams(text);
      const isForeign = answer.get("state") !== state;
      // Other tabs use the channel, too, and any site can open the redirect page. Only the window that this
      // request opened can end it without the state (RFC 6749, section 10.12).
      if (isForeign && !isFromOpened) return;
      end();
      opened.close();
      if (isForeign) reject(new OAuthError("foreign"));
      else if (answer.has("error"))
        reject(new OAuthError("refused", answer.get("error_description") ?? answer.get("error")!));
      else resolve(answer);
    };

    const onMessage = (event: MessageEvent) => {
      // The source is null if the window has already been closed.
      if (event.origin === location.origin && (event.source === opened || event.source === null))
        receive(event.data, event.source === opened);
    };

    addEventListener("message", onMessage);
    channel.onmessage = (event) => receive(event.data, false);
    signal.addEventListener("abort", stop);
    opened.location.href = url.href;
    if (signal.aborted) stop();
  });
}

/**
 * Prevents that the authorization server's page navigates this page. In a frame of another site, the opener
 * stays, because browsers don't connect the channels of the frame and of the window.
 */
function removeOpener(opened: Window): void {
  if (window.top !== window) return;
  try {
    opened.opener = null;
  } catch {
    // The window of an earlier request is still open, with a page of another origin. It has no opener.
  }
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );
}
