import type { JSX } from 'preact'
import * as routes from '../../../routes.ts'
import { useReply } from '../../api/use-reply.ts'
import { moment } from '../../parts/format.ts'
import { LoadError, Loading } from '../../parts/placeholders.tsx'

/** The emails that the sandbox stored instead of sending. */
export function Inbox(): JSX.Element {
  const { body, problem, again } = useReply(routes.readInbox, { query: {} })
  return (
    <section class="panel stack" aria-labelledby="inbox">
      <div class="split-row">
        <h2 id="inbox">Inbox</h2>
        <button class="link" type="button" onClick={() => void again()}>
          Refresh
        </button>
      </div>
      <LoadError problem={problem} />
      {body === undefined && problem === undefined && <Loading />}
      {body?.length === 0 && <p class="quiet">No emails yet. Payout codes and team invitations arrive here.</p>}
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
