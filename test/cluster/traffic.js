// Requests a URL 50 times per second on new connections, until it receives SIGTERM. Then prints how often
// each result occurred.
import { request } from "node:http";

const [url] = process.argv.slice(2);
const results = {};
const count = (result) => (results[result] = (results[result] ?? 0) + 1);
let open = 0;
let isStopping = false;

const timer = setInterval(() => {
  open++;
  const done = (result) => {
    count(result);
    open--;
    if (isStopping && open === 0) report();
  };
  const sent = request(url, { agent: false, timeout: 3_000 }, (response) => {
    response.resume();
    response.once("end", () => done(response.statusCode));
  });
  sent.once("timeout", () => sent.destroy(new Error("timeout")));
  sent.once("error", (error) => done(error.code ?? error.message));
  sent.end();
}, 20);

process.once("SIGTERM", () => {
  clearInterval(timer);
  isStopping = true;
  if (open === 0) report();
});

function report() {
  console.log(JSON.stringify(results));
}
