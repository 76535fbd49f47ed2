// Serves the bundles in a folder on port 8000. If the folder contains a file called "expired", all downloads
// fail.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

const [folder, host] = process.argv.slice(2);
createServer(({ url }, response) => {
  const file = path.join(folder, path.basename(url ?? ""));
  if (existsSync(path.join(folder, "expired"))) response.writeHead(403).end();
  else if (existsSync(file)) createReadStream(file).pipe(response);
  else response.writeHead(404).end();
}).listen(8_000, host, () => console.log("ready"));
