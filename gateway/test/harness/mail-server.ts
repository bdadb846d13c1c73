import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly url: string
  /** Every email as received, with headers. */
  readonly mails: string[]
  /** Whether it rejects emails for now. */
  refuses: boolean
  /** Runs before it responds, if set. */
  meanwhile?: (() => Promise<unknown>) | undefined
}

/** Clients keep their connections; the test does not wait for them. */
const CLOSE_MILLISECONDS = 100

/** A real mail server that keeps every email, closed when the test ends. */
export async function mailServer(t: TestContext): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: CLOSE_MILLISECONDS,
    onRcptTo: async (_address, _session, done) => {
      const { refuses, meanwhile } = opened
      await meanwhile?.()
      done(refuses ? new Error('No such mailbox') : undefined)
    },
    onData: async (stream, _, done) => {
      opened.mails.push(Buffer.concat(await stream.toArray()).toString())
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails: [],
    refuses: false,
  }
  return opened
}
