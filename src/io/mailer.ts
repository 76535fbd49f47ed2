/** Sends emails through the operator's SMTP server. */

import { createTransport } from "nodemailer";

/** Timeout for connecting and for each response from the server. */
const smtp_ms = 15_000;

export interface MailSettings {
  /** `smtp://` or `smtps://` URL, which may contain a user name and password. */
  url: string;
  /** Sender, such as `Octavo <docs@example.com>`. */
  from: string;
}

export interface Email {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /** Rejects if the server can't be reached or doesn't accept the email. */
  send(email: Email): Promise<void>;
}

/** Creates a mailer, which connects to the server only to send an email. */
export function openMailer({ url, from }: MailSettings): Mailer {
  const transport = createTransport(url, {
    from,
    connectionTimeout: smtp_ms,
    greetingTimeout: smtp_ms,
    socketTimeout: smtp_ms,
  } as object);
  return {
    async send(email) {
      // Email addresses and subjects contain text from users, so files and URLs as content are disabled.
      await transport.sendMail({ ...email, from, disableFileAccess: true, disableUrlAccess: true });
    },
  };
}
