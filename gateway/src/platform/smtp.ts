export interface MailedFile {
  readonly name: string
  readonly text: string
}

/** A picture that is part of a mail. Its HTML shows it as `cid:ID`. */
export interface MailedPicture {
  readonly id: string
  readonly type: string
  readonly content: Buffer
}

/** A mail in plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly file?: MailedFile
}

export interface Smtp {
  /** Sends a mail with its HTML part. Rejects if the server does not accept it. */
  readonly send: (mail: Mail & { readonly html: string; readonly picture?: MailedPicture }) => Promise<void>
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
    send: async ({ file, picture, ...mail }) => {
      const attachments = [
        ...(file === undefined ? [] : [{ filename: file.name, content: file.text, contentType: 'text/csv' }]),
        ...(picture === undefined ? [] : [{ cid: picture.id, content: picture.content, contentType: picture.type }]),
      ]
      await transport.sendMail({ from, ...mail, attachments })
    },
    close: () => transport.close(),
  }
}
