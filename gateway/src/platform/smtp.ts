/** A file that goes with a mail. */
export interface MailedFile {
  readonly name: string
  readonly text: string
}

/** A mail in plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly file?: MailedFile
}

/** Hands mails to a mail server. */
export interface Smtp {
  /** Fails where the server does not take the mail. */
  readonly send: (mail: Mail) => Promise<void>
  readonly close: () => void
}

const CONNECT_MILLISECONDS_MAX = 5_000
const ANSWER_MILLISECONDS_MAX = 10_000
const CONNECTIONS_MAX = 5

/** Talks to the server at an smtp:// or smtps:// address, as this sender. */
export async function openSmtp(url: string, from: string): Promise<Smtp> {
  // Loaded only by those who name a server: it takes a tenth of the time to start.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_MILLISECONDS_MAX,
    greetingTimeout: CONNECT_MILLISECONDS_MAX,
    socketTimeout: ANSWER_MILLISECONDS_MAX,
  })
  return {
    send: async ({ file, ...mail }) => {
      const attachments =
        file === undefined ? [] : [{ filename: file.name, content: file.text, contentType: 'text/csv' }]
      await transport.sendMail({ from, ...mail, attachments })
    },
    close: () => transport.close(),
  }
}
