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

export interface Smtp {
  /** Rejects if the server does not accept the mail. */
  readonly send: (mail: Mail) => Promise<void>
  readonly close: () => void
}

const CONNECT_MILLISECONDS_MAX = 5_000
const RESPONSE_MILLISECONDS_MAX = 10_000
const CONNECTIONS_MAX = 5

/** Opens a pool of connections to an smtp:// or smtps:// URL. All mails have this sender. */
export async function openSmtp(url: string, from: string): Promise<Smtp> {
  // Loaded only if a server is configured, because loading takes a tenth of the start-up time.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_MILLISECONDS_MAX,
    greetingTimeout: CONNECT_MILLISECONDS_MAX,
    socketTimeout: RESPONSE_MILLISECONDS_MAX,
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
