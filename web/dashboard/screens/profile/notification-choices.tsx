import type { CompanyTopic, getNotificationChoices, NotificationTopic, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { type CallResult, call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { LoadError } from '../../parts/loading.tsx'

type Choice = Reply<typeof getNotificationChoices>['choices'][number]

const TOPICS: Readonly<Record<NotificationTopic, string>> = {
  APPROVALS: 'Payouts and actions to approve',
  DISPUTES: 'New disputes',
  PAYOUTS: 'Transfers without a result',
  SETTLEMENTS: 'Settlements that could not be paid',
  WEBHOOKS: 'Webhooks that are paused or not delivered',
  LOW_BALANCE: 'Wallet balance below your alert level',
}

/** Which notifications the user gets, on screen and by email. */
export function NotificationChoices(): JSX.Element {
  const { body, problem, again } = useReply(routes.getNotificationChoices, {})
  const [wrong, setWrong] = useState<string>()
  const settle = async (request: Promise<CallResult<unknown>>): Promise<void> => {
    const response = await request
    setWrong(response.kind === 'done' ? undefined : problemOf(response))
    await again()
  }
  const choose = (
    { topic }: Choice,
    body: { readonly isOnScreen: boolean } | { readonly isByMail: boolean },
  ): Promise<void> => settle(call(routes.chooseNotifications, { params: { topic }, body }))
  // Only topics with such emails have the choice.
  const chooseForCompany = ({ topic }: Choice, isOn: boolean): Promise<void> =>
    settle(call(routes.chooseCompanyMails, { params: { topic: topic as CompanyTopic }, body: { isOn } }))
  return (
    <section class="panel stack" aria-labelledby="choices">
      <h2 id="choices">Notifications</h2>
      <LoadError problem={problem} />
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
      <ul class="rows">
        {body?.choices.map((choice) => (
          <li key={choice.topic}>
            <span>{TOPICS[choice.topic]}</span>
            <span class="actions">
              <label class="tick">
                <input
                  type="checkbox"
                  aria-label={`${TOPICS[choice.topic]}: on screen`}
                  checked={choice.isOnScreen}
                  onChange={({ currentTarget: { checked } }) => void choose(choice, { isOnScreen: checked })}
                />
                <span>On screen</span>
              </label>
              {choice.isByMail !== null && (
                <label class="tick">
                  <input
                    type="checkbox"
                    aria-label={`${TOPICS[choice.topic]}: by email`}
                    checked={choice.isByMail}
                    onChange={({ currentTarget: { checked } }) => void choose(choice, { isByMail: checked })}
                  />
                  <span>By email</span>
                </label>
              )}
              {choice.isToCompany !== null && (
                <label class="tick">
                  <input
                    type="checkbox"
                    aria-label={`${TOPICS[choice.topic]}: by email to the company`}
                    checked={choice.isToCompany}
                    onChange={({ currentTarget: { checked } }) => void chooseForCompany(choice, checked)}
                  />
                  <span>Company email</span>
                </label>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet small">
        “On screen” and “By email” are for you only. Your company’s own address also gets emails, except about
        approvals. Owners choose the topics of these emails under “Company email”.
      </p>
    </section>
  )
}
