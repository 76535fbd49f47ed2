// A DNS server on UDP port 53, in place of the one that clusters have. It answers queries for IPv4 addresses
// from a JSON file, which maps names to addresses.
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";

const [file, host] = process.argv.slice(2);
const isAddress = 1;
const nameNotFound = 3;

/** The name in a query, and where it ends. */
function readName(message) {
  const labels = [];
  let at = 12;
  for (; message[at] !== 0; at += message[at] + 1)
    labels.push(message.toString("latin1", at + 1, at + 1 + message[at]));
  return { name: labels.join("."), end: at + 1 };
}

const server = createSocket("udp4", (query, { address, port }) => {
  const { name, end } = readName(query);
  const ip = JSON.parse(readFileSync(file, "utf8"))[name.toLowerCase()];
  const isAnswered = ip !== undefined && query.readUInt16BE(end) === isAddress;
  const header = Buffer.from(query.subarray(0, 12));
  // A response of an authoritative server, with one question.
  header.writeUInt16BE(0x8400 | (ip === undefined ? nameNotFound : 0), 2);
  for (const [count, offset] of [
    [1, 4],
    [isAnswered ? 1 : 0, 6],
    [0, 8],
    [0, 10],
  ])
    header.writeUInt16BE(count, offset);
  // A pointer to the name, type A, class IN, 5 seconds, 4 bytes.
  const answer = isAnswered
    ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...ip.split(".").map(Number)])
    : Buffer.alloc(0);
  server.send(Buffer.concat([header, query.subarray(12, end + 4), answer]), port, address);
});
server.bind(53, host);
