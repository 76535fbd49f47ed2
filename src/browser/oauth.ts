/** The OAuth redirect page: passes the authorization response to the playground and closes the window. */

const answer = new URLSearchParams(location.search);
// The implicit flow uses the fragment.
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) answer.set(name, value);
const message = { octavoOAuth: answer.toString() };
// The response must not stay in the history.
history.replaceState(null, "", location.pathname);

// Only pages of this origin receive the message.
if (window.opener) (window.opener as Window).postMessage(message, location.origin);
else new BroadcastChannel("octavo-oauth").postMessage(message);
// The playground closes the window. If the authorization server isolates its pages (COOP), only the window
// itself can.
setTimeout(() => window.close(), 1_000);
