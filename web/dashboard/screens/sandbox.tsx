import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { type CallResult, call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { BankField } from '../parts/bank-field.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { moment } from '../parts/format.ts'
import { Inbox } from './sandbox/inbox.tsx'
import { TestCards } from './sandbox/test-cards.tsx'

const HOUR_SECONDS = 3_600
const STEPS = [
  ['5 minutes', 300],
  ['1 hour', HOUR_SECONDS],
  ['1 day', 24 * HOUR_SECONDS],
  ['1 week', 7 * 24 * HOUR_SECONDS],
] as const

/** Buttons that simulate banks, customers and the passing of time. */
export default function Sandbox(): JSX.Element {
  return (
    <div class="stack">
      <h1>Sandbox</h1>
      <p class="quiet">No real money moves here. Events are sent to your webhook URLs as in live mode.</p>
      <div class="panels">
        <Pay />
        <Clock />
        <Trigger
          title="Fund your wallet"
          text="Sends ACCOUNT_ACTIVITY."
          submit="Add funds"
          run={async ({ amount = '' }) =>
            outcomeOf(
              await call(routes.fundWallet, { body: { amount } }),
              ({ availableBalance }) => `Available balance: ${naira(availableBalance)}`,
            )
          }
        >
          <Amount />
        </Trigger>
        <Trigger
          title="A customer pays cash"
          text="Sends SUCCESSFUL_TRANSACTION, and SETTLEMENT at the end of the day."
          submit="Record cash payment"
          run={async ({ amount = '' }) =>
            outcomeOf(
              await call(routes.collectCash, { body: { amount } }),
              ({ transactionReference }) => `Paid: ${transactionReference}`,
            )
          }
        >
          <Amount />
        </Trigger>
        <Trigger
          title="A customer authorizes a mandate"
          text="Sends MANDATE_UPDATE."
          submit="Authorize mandate"
          run={async ({ mandateCode = '' }) =>
            outcomeOf(
              await call(routes.authorizeMandate, { params: { mandateCode } }),
              ({ mandateStatus }) => `New status: ${mandateStatus}`,
            )
          }
        >
          <Field name="mandateCode" label="Mandate code" />
        </Trigger>
        <Trigger
          title="An agent pays out a paycode"
          text="The beneficiary collects the cash."
          submit="Pay out paycode"
          run={async ({ paycodeReference = '' }) =>
            outcomeOf(
              await call(routes.redeemPaycode, { params: { paycodeReference } }),
              ({ transactionStatus }) => `New status: ${transactionStatus}`,
            )
          }
        >
          <Field name="paycodeReference" label="Paycode reference" />
        </Trigger>
        <Disputes />
      </div>
      <TestCards />
      <Inbox />
    </div>
  )
}

/** Opens and decides disputes. */
const Disputes = (): JSX.Element => (
  <>
    <Trigger
      title="A customer’s bank opens a dispute"
      text="Sends DISPUTE_OPENED. Challenge or accept it under “Disputes”."
      submit="Open dispute"
      run={async ({ transactionReference = '' }) =>
        outcomeOf(
          await call(routes.openSandboxDispute, { body: { transactionReference, disputeType: 'CHARGEBACK' } }),
          ({ disputeReference, disputeAmount }) => `Dispute ${disputeReference} opened. ${naira(disputeAmount)} held.`,
        )
      }
    >
      <Field name="transactionReference" label="Transaction reference" />
    </Trigger>
    <Trigger
      title="You win a dispute"
      text="Sends DISPUTE_WON and returns the money to your wallet. To lose a dispute, accept it under “Disputes”."
      submit="Win dispute"
      run={async ({ disputeReference = '' }) =>
        outcomeOf(
          await call(routes.decideSandboxDispute, { params: { disputeReference }, body: { outcome: 'WON' } }),
          ({ disputeStatus }) => `New status: ${disputeStatus}`,
        )
      }
    >
      <Field name="disputeReference" label="Dispute reference" />
    </Trigger>
  </>
)

const Amount = (): JSX.Element => <Field name="amount" label="Amount in naira" type="amount" value="1,000" />

/** The message after success, or the problem. */
type Outcome = { readonly done: string } | { readonly problem: string }

const outcomeOf = <Body,>(result: CallResult<Body>, text: (body: Body) => string): Outcome =>
  result.kind === 'done' ? { done: text(result.body) } : { problem: problemOf(result) }

interface TriggerProps {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly run: (fields: Fields) => Promise<Outcome>
  readonly children: ComponentChildren
}

/** A form that triggers a sandbox event and shows its result. */
function Trigger({ title, text, submit, run, children }: TriggerProps): JSX.Element {
  const id = useId()
  const [done, setDone] = useState<string>()
  const send = async (fields: Fields): Promise<string | undefined> => {
    const outcome = await run(fields)
    setDone('done' in outcome ? outcome.done : undefined)
    return 'problem' in outcome ? outcome.problem : undefined
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

const REASONS: Readonly<Record<string, string>> = {
  ACCOUNT_NOT_FOUND: 'This bank has no such account. Check the number.',
}

/** Pays like the customer's banking app. */
const Pay = (): JSX.Element => (
  <Trigger
    title="A customer pays by transfer"
    text="Works like the customer’s banking app. The exact amount makes a payment PAID; try others to see underpayments and overpayments."
    submit="Send transfer"
    run={async ({ bankCode = '', accountNumber = '', amount = '' }) => {
      const outcome = await call(routes.payIntoAccount, { body: { bankCode, accountNumber, amount } })
      if (outcome.kind === 'done' && outcome.body.status === 'REJECTED') {
        const { reason } = outcome.body
        return { problem: REASONS[reason ?? ''] ?? `The bank rejected the transfer: ${reason}.` }
      }
      return outcomeOf(outcome, ({ sessionId }) => `Transfer received. Session ID: ${sessionId}`)
    }}
  >
    <BankField name="bankCode" label="Bank" />
    <Field name="accountNumber" label="Account number" inputMode="numeric" />
    <Amount />
  </Trigger>
)

/** The sandbox clock. When it is moved, everything that becomes due has run before the response arrives. */
function Clock(): JSX.Element {
  const { body, problem, again } = useReply(routes.readClock, {})
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const advance = async (seconds: number): Promise<void> => {
    setBusy(true)
    const result = await call(routes.advanceClock, { body: { seconds } })
    setFailure(result.kind === 'done' ? undefined : problemOf(result))
    await again()
    setBusy(false)
  }
  return (
    <section class="panel stack" aria-labelledby="clock">
      <h2 id="clock">Sandbox clock</h2>
      <p role="status">{isBusy ? 'Moving the clock …' : body === undefined ? problem?.text : moment(body.now)}</p>
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <p class="quiet small">
        Moves time forward for everyone in this sandbox. Expiries, retries and settlements that become due in that time
        run in order.
      </p>
      <div class="actions">
        {STEPS.map(([title, seconds]) => (
          <button
            key={title}
            class="button plain fit"
            type="button"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) void advance(seconds)
            }}
          >
            Advance {title}
          </button>
        ))}
      </div>
    </section>
  )
}
