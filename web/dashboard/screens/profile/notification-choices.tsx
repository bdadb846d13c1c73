import type { CompanyTopic, NotificationTopic } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { type CallResult, call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { LoadError } from '../../parts/placeholders.tsx'

const TOPICS: Readonly<Record<NotificationTopic, string>> = {
  APPROVALS: 'Payouts and actions to approve',
  DISPUTES: 'New disputes',
  PAYOUTS: 'Transfers without a result',
  SETTLEMENTS: 'Settlements that could not be paid',
  WEBHOOKS: 'Webhooks that are paused or not delivered',
  LOW_BALANCE: 'Wallet balance below your alert level',
}

interface TickProps {
  readonly topic: NotificationTopic
  readonly label: string
  readonly wasOn: boolean
  readonly save: (isOn: boolean) => Promise<CallResult<unknown>>
  readonly setWrong: (wrong: string | undefined) => void
}

/** A checkbox that saves at once, and takes the choice back if that fails. */
function Tick({ topic, label, wasOn, save, setWrong }: TickProps): JSX.Element {
  const [isOn, setOn] = useState(wasOn)
  const choose = async (chosen: boolean): Promise<void> => {
    setOn(chosen)
    const response = await save(chosen)
    if (response.kind !== 'done') setOn(!chosen)
    setWrong(response.kind === 'done' ? undefined : problemOf(response))
  }
  return (
    <label class="tick">
      <input
        type="checkbox"
        aria-label={`${TOPICS[topic]}: ${label}`}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => void choose(checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** Which notifications the user gets, on screen and by email. */
export function NotificationChoices(): JSX.Element {
  const { body, problem } = useReply(routes.getNotificationChoices, {})
  const [wrong, setWrong] = useState<string>()
  return (
    <section class="panel stack" aria-labelledby="choices">
      <h2 id="choices">Notifications</h2>
      <LoadError problem={problem} />
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
      <ul class="rows">
        {body?.choices.map(({ topic, isOnScreen, isByMail, isToCompany }) => {
          const choose = (body: { readonly isOnScreen: boolean } | { readonly isByMail: boolean }) =>
            call(routes.chooseNotifications, { params: { topic }, body })
          // Only topics with such emails have the choice.
          const chooseForCompany = (isOn: boolean) =>
            call(routes.chooseCompanyMails, { params: { topic: topic as CompanyTopic }, body: { isOn } })
          const shared = { topic, setWrong }
          return (
            <li key={topic}>
              <span>{TOPICS[topic]}</span>
              <span class="actions">
                <Tick label="On screen" wasOn={isOnScreen} save={(isOn) => choose({ isOnScreen: isOn })} {...shared} />
                {isByMail !== null && (
                  <Tick label="By email" wasOn={isByMail} save={(isOn) => choose({ isByMail: isOn })} {...shared} />
                )}
                {isToCompany !== null && (
                  <Tick label="Company email" wasOn={isToCompany} save={chooseForCompany} {...shared} />
                )}
              </span>
            </li>
          )
        })}
      </ul>
      <p class="quiet small">
        “On screen” and “By email” are for you only. Your company’s own address also gets emails, except about
        approvals. Owners choose the topics of these emails under “Company email”.
      </p>
    </section>
  )
}
