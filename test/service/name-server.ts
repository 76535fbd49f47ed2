/** A DNS server for TXT, CNAME and A records. */

import { createSocket } from "node:dgram";
import { getServers, setServers } from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";

export class NameServer {
  /**
   * TXT records by name. Each text is sent in strings of up to 20 bytes, since real records can have several
   * strings.
   */
  readonly records = new Map<string, string[]>();
  /** CNAME records: targets by name. */
  readonly aliases = new Map<string, string>();
  /** A records: IPv4 addresses by name. */
  readonly addresses = new Map<string, string[]>();
  private readonly socket = createSocket("udp4");

  async listen(): Promise<this> {
    this.socket.on("message", (query, { port, address }) =>
      this.socket.send(this.answer(query), port, address),
    );
    await new Promise<void>((resolve) => this.socket.bind(0, "127.0.0.1", resolve));
    return this;
  }

  /**
   * Makes this process resolve names with this server. Returns a function that restores the previous servers.
   */
  use(): () => void {
    const previous = getServers();
    const { port } = this.socket.address() as AddressInfo;
    setServers([`127.0.0.1:${port}`]);
    syncBuiltinESMExports();
    return () => {
      setServers(previous);
      syncBuiltinESMExports();
    };
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let end = 12;
    while (query[end]) {
      labels.push(query.toString("latin1", end + 1, end + 1 + query[end]!));
      end += query[end]! + 1;
    }
    const question = query.subarray(12, end + 5);
    const name = labels.join(".").toLowerCase();
    const type = query.readUInt16BE(end + 1);
    const alias = this.aliases.get(name);
    const addresses = (this.addresses.get(name) ?? []).map((address) =>
      Buffer.from(address.split(".").map(Number)),
    );
    const byType: Record<number, Buffer[]> = {
      1: addresses,
      5: alias === undefined ? [] : [nameData(alias)],
      16: (this.records.get(name) ?? []).map(textData),
    };
    const records = byType[type] ?? [];
    const head = Buffer.from(query.subarray(0, 12));
    // Flags: a response, with NXDOMAIN if there is no record.
    head.writeUInt16BE(records.length ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    // Pointer to the name in the question, type, class IN, TTL 0.
    const answers = records.map((data) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]),
    );
    return Buffer.concat([head, question, ...answers]);
  }
}

function textData(text: string): Buffer {
  const parts = text.match(/.{1,20}/gs) ?? [];
  return Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, "latin1")])),
  );
}

function nameData(name: string): Buffer {
  const labels = name
    .split(".")
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
