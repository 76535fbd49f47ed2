/** An SMTP server that collects the emails it receives. */

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedEmail {
  to: string[];
  /** Headers and text. Soft line breaks of quoted-printable text are removed. */
  text: string;
}

export async function startMailServer(): Promise<{
  url: string;
  received: ReceivedEmail[];
  stop(): Promise<void>;
}> {
  const received: ReceivedEmail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = Buffer.concat(chunks).toString().replace(/=\r\n/g, "").replaceAll("=3D", "=");
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
