import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { LoadError } from '../../parts/placeholders.tsx'

/** The user's choice of email reports. */
export function EmailReports(): JSX.Element {
  const { body, problem, again } = useReply(routes.getReports, {})
  const [wrong, setWrong] = useState<string>()
  const choose = async (dailySettlement: boolean): Promise<void> => {
    const response = await call(routes.changeReports, { body: { dailySettlement } })
    setWrong(response.kind === 'done' ? undefined : problemOf(response))
    await again()
  }
  return (
    <section class="panel stack" aria-labelledby="reports">
      <h2 id="reports">Email reports</h2>
      <LoadError problem={problem} />
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
      <label class="tick">
        <input
          type="checkbox"
          checked={body?.dailySettlement === true}
          disabled={body === undefined}
          onChange={({ currentTarget }) => void choose(currentTarget.checked)}
        />
        <span>Daily settlement report, at 7:00 WAT</span>
      </label>
      <p class="quiet small">
        It lists yesterday’s settlements with gross amount, fee, net amount and bank reference, and has a CSV file. If
        there were none, no email is sent.
      </p>
    </section>
  )
}
