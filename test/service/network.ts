import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy for TCP connections to `target`, which can be slow, reset connections, or drop everything. */
export class Network {
  private readonly sockets = new Set<Socket>();
  private readonly waiting: (() => void)[] = [];
  private isDown = false;
  delay_ms = 0;
  private readonly server;

  constructor(target: URL) {
    this.server = createServer((inner) => {
      const outer = connect(Number(target.port || 5432), target.hostname);
      this.join(inner, outer);
      this.join(outer, inner);
    });
  }

  private join(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on("error", () => {});
    from.on("close", () => {
      this.sockets.delete(from);
      to.destroy();
    });
    from.on("data", (chunk) => {
      const send = () => void to.write(chunk);
      const pass = () => (this.delay_ms ? setTimeout(send, this.delay_ms) : send());
      if (this.isDown) this.waiting.push(pass);
      else pass();
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return (this.server.address() as AddressInfo).port;
  }

  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  partition(): void {
    this.isDown = true;
  }

  heal(): void {
    this.isDown = false;
    for (const pass of this.waiting.splice(0)) pass();
  }

  stop(): void {
    this.server.close();
    this.reset();
  }
}
