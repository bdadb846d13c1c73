import type { InDashboard, readInbox } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'

const INBOX: Address<InDashboard<typeof readInbox>> = { method: 'GET', path: '/dashboard/api/sandbox/inbox' }

/** The mails that the sandbox kept in place of sending them. */
export function Inbox(): JSX.Element {
  const { body, problem, again } = useReply(INBOX, { query: {} })
  return (
    <section class="panel stack" aria-labelledby="inbox">
      <div class="beside-each-other">
        <h2 id="inbox">Inbox</h2>
        <button class="link" type="button" onClick={() => void again()}>
          Look again
        </button>
      </div>
      {problem !== undefined && <p class="notice bad">{problem}</p>}
      {body === undefined && problem === undefined && <Waiting />}
      {body?.length === 0 && (
        <p class="quiet">No mail yet. Codes for payouts and invitations into the team arrive here.</p>
      )}
      {body?.map(({ id, to, subject, text, sentAt }) => (
        <details key={id}>
          <summary>
            <span>
              {subject}
              <br />
              <small class="quiet">
                to {to}, {moment(sentAt)}
              </small>
            </span>
          </summary>
          <pre class="text">{text}</pre>
        </details>
      ))}
    </section>
  )
}
