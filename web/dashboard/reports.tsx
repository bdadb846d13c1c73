import type { changeReports, getReports } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, problemOf } from './call.ts'
import { useReply } from './use-reply.ts'

const READ: Address<typeof getReports> = { method: 'GET', path: '/dashboard/api/reports' }
const CHANGE: Address<typeof changeReports> = { method: 'PUT', path: '/dashboard/api/reports' }

/** Which reports somebody has mailed to them. */
export function Reports(): JSX.Element {
  const { body, problem, again } = useReply(READ, {})
  const [wrong, setWrong] = useState<string>()
  const choose = async (dailySettlement: boolean): Promise<void> => {
    const answer = await call(CHANGE, { body: { dailySettlement } })
    setWrong(answer.kind === 'done' ? undefined : problemOf(answer))
    await again()
  }
  return (
    <section class="panel stack" aria-labelledby="reports">
      <h2 id="reports">Reports by mail</h2>
      <div role="alert">{(wrong ?? problem) !== undefined && <p class="notice bad">{wrong ?? problem}</p>}</div>
      <label class="tick">
        <input
          type="checkbox"
          checked={body?.dailySettlement === true}
          disabled={body === undefined}
          onChange={({ currentTarget }) => void choose(currentTarget.checked)}
        />
        <span>What was settled, each morning at 7 (WAT)</span>
      </label>
      <p class="quiet small">
        Gross, fee, net and the bank’s reference of each settlement of the day before, with a file for your books. On
        days without a settlement nothing is sent.
      </p>
    </section>
  )
}
