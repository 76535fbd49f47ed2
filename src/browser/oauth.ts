/** The page that an authorization server sends the reader back to: hands the answer to the playground that asked, and closes. */
const answer = new URLSearchParams(location.search);
// The implicit flow answers behind the `#`.
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) answer.set(name, value);
const message = { octavoOAuth: answer.toString() };
// The answer is good for one sign-in and is not to stay in the history.
history.replaceState(null, "", location.pathname);

// Only pages of this site's own origin may hear it.
if (window.opener) (window.opener as Window).postMessage(message, location.origin);
else new BroadcastChannel("octavo-oauth").postMessage(message);
setTimeout(() => window.close(), 50);
