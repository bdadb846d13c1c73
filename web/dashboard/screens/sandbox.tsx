import type {
  advanceClock,
  authorizeMandate,
  collectCash,
  decideSandboxDispute,
  fundWallet,
  InDashboard,
  openSandboxDispute,
  payIntoAccount,
  readClock,
  redeemPaycode,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { BankField } from '../bank-field.tsx'
import { type Answer, call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { Inbox } from '../sandbox/inbox.tsx'
import { TestCards } from '../sandbox/test-cards.tsx'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'

const PAY: Address<typeof payIntoAccount> = { method: 'POST', path: '/sandbox/transfers' }
const FUND: Address<InDashboard<typeof fundWallet>> = { method: 'POST', path: '/dashboard/api/sandbox/wallet/fund' }
const CASH: Address<InDashboard<typeof collectCash>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/cash-collections',
}
const AGREE: Address<InDashboard<typeof authorizeMandate>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/mandates/:mandateCode/authorize',
}
const REDEEM: Address<InDashboard<typeof redeemPaycode>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/paycodes/:paycodeReference/redeem',
}
const DISPUTE: Address<InDashboard<typeof openSandboxDispute>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/disputes',
}
const DECIDE: Address<InDashboard<typeof decideSandboxDispute>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/disputes/:disputeReference/decide',
}
const CLOCK: Address<InDashboard<typeof readClock>> = { method: 'GET', path: '/dashboard/api/sandbox/clock' }
const ADVANCE: Address<InDashboard<typeof advanceClock>> = {
  method: 'POST',
  path: '/dashboard/api/sandbox/clock/advance',
}

const HOUR_SECONDS = 3_600
const LEAPS = [
  ['5 minutes', 300],
  ['1 hour', HOUR_SECONDS],
  ['1 day', 24 * HOUR_SECONDS],
  ['1 week', 7 * 24 * HOUR_SECONDS],
] as const

/** What otherwise takes a bank, a customer or a week, as buttons. */
export default function Sandbox(): JSX.Element {
  return (
    <div class="stack">
      <h1>Sandbox</h1>
      <p class="quiet">No money moves here. What you bring about is told to your receivers as in live.</p>
      <div class="panels">
        <Pay />
        <Clock />
        <Trigger
          title="Fund the wallet"
          text="ACCOUNT_ACTIVITY follows."
          submit="Put it in"
          act={async ({ amount = '' }) =>
            told(
              await call(FUND, { body: { amount } }),
              ({ availableBalance }) => `Available: ${naira(availableBalance)}`,
            )
          }
        >
          <Amount />
        </Trigger>
        <Trigger
          title="A customer pays cash"
          text="SUCCESSFUL_TRANSACTION follows, and SETTLEMENT once its day has ended."
          submit="Pay"
          act={async ({ amount = '' }) =>
            told(await call(CASH, { body: { amount } }), ({ transactionReference }) => `Paid: ${transactionReference}`)
          }
        >
          <Amount />
        </Trigger>
        <Trigger
          title="A customer agrees to a mandate"
          text="MANDATE_UPDATE follows."
          submit="Agree"
          act={async ({ mandateCode = '' }) =>
            told(await call(AGREE, { params: { mandateCode } }), ({ mandateStatus }) => `It is now ${mandateStatus}.`)
          }
        >
          <Field name="mandateCode" label="Code of the mandate" />
        </Trigger>
        <Trigger
          title="An agent pays out a paycode"
          text="The customer has the cash."
          submit="Pay out"
          act={async ({ paycodeReference = '' }) =>
            told(
              await call(REDEEM, { params: { paycodeReference } }),
              ({ transactionStatus }) => `It is now ${transactionStatus}.`,
            )
          }
        >
          <Field name="paycodeReference" label="Reference of the paycode" />
        </Trigger>
        <Disputes />
      </div>
      <TestCards />
      <Inbox />
    </div>
  )
}

/** A payment that is wanted back, and how that ends. */
const Disputes = (): JSX.Element => (
  <>
    <Trigger
      title="A payer’s bank wants a payment back"
      text="DISPUTE_OPENED follows. Contest or accept it under “Disputes”."
      submit="Dispute it"
      act={async ({ transactionReference = '' }) =>
        told(
          await call(DISPUTE, { body: { transactionReference, disputeType: 'CHARGEBACK' } }),
          ({ disputeReference, disputeAmount }) => `${naira(disputeAmount)} is held: ${disputeReference}`,
        )
      }
    >
      <Field name="transactionReference" label="Transaction reference" />
    </Trigger>
    <Trigger
      title="A dispute is won"
      text="DISPUTE_WON follows, and the money is in the wallet again. Accept it under “Disputes” to see it lost."
      submit="Decide"
      act={async ({ disputeReference = '' }) =>
        told(
          await call(DECIDE, { params: { disputeReference }, body: { outcome: 'WON' } }),
          ({ disputeStatus }) => `It is now ${disputeStatus}.`,
        )
      }
    >
      <Field name="disputeReference" label="Reference of the dispute" />
    </Trigger>
  </>
)

const Amount = (): JSX.Element => <Field name="amount" label="Amount in naira" inputMode="decimal" value="1000" />

/** What came of it: what to say, or what was wrong. */
type Outcome = { readonly done: string } | { readonly wrong: string }

const told = <Body,>(answer: Answer<Body>, text: (body: Body) => string): Outcome =>
  answer.kind === 'done' ? { done: text(answer.body) } : { wrong: problemOf(answer) }

interface TriggerProps {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly act: (fields: Fields) => Promise<Outcome>
  readonly children: ComponentChildren
}

/** Something that can be brought about, with what came of it last. */
function Trigger({ title, text, submit, act, children }: TriggerProps): JSX.Element {
  const id = useId()
  const [done, setDone] = useState<string>()
  const send = async (fields: Fields): Promise<string | undefined> => {
    const outcome = await act(fields)
    setDone('done' in outcome ? outcome.done : undefined)
    return 'wrong' in outcome ? outcome.wrong : undefined
  }
  return (
    <section class="panel stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="quiet small">{text}</p>
      <Form act={send} submit={submit}>
        {children}
      </Form>
      <p role="status">{done}</p>
    </section>
  )
}

const REASONS: Readonly<Record<string, string>> = { ACCOUNT_NOT_FOUND: 'There is no such account at this bank.' }

/** The customer's banking app. */
const Pay = (): JSX.Element => (
  <Trigger
    title="Pay into an account"
    text="As the customer’s banking app does it. The exact amount makes a payment PAID; another one shows what else can be."
    submit="Pay"
    act={async ({ bankCode = '', accountNumber = '', amount = '' }) => {
      const outcome = await call(PAY, { body: { bankCode, accountNumber, amount } })
      if (outcome.kind === 'done' && outcome.body.status === 'REJECTED') {
        const { reason } = outcome.body
        return { wrong: REASONS[reason ?? ''] ?? `The bank says: ${reason}.` }
      }
      return told(outcome, ({ sessionId }) => `Arrived, session ${sessionId}.`)
    }}
  >
    <BankField name="bankCode" label="Bank" />
    <Field name="accountNumber" label="Account number" inputMode="numeric" />
    <Amount />
  </Trigger>
)

/** The sandbox's clock: whatever falls due on the way is done before it answers. */
function Clock(): JSX.Element {
  const { body, problem, again } = useReply(CLOCK, {})
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const advance = async (seconds: number): Promise<void> => {
    setBusy(true)
    const answer = await call(ADVANCE, { body: { seconds } })
    setWrong(answer.kind === 'done' ? undefined : problemOf(answer))
    await again()
    setBusy(false)
  }
  return (
    <section class="panel stack" aria-labelledby="clock">
      <h2 id="clock">The clock</h2>
      <p role="status">{isBusy ? 'Time passes …' : body === undefined ? problem : moment(body.now)}</p>
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
      <p class="quiet small">
        For everybody in this sandbox. What falls due on the way is done in order: expiry, retries, settlements.
      </p>
      <div class="acts">
        {LEAPS.map(([title, seconds]) => (
          <button
            key={title}
            class="button plain fit"
            type="button"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) void advance(seconds)
            }}
          >
            + {title}
          </button>
        ))}
      </div>
    </section>
  )
}
