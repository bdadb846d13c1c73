import type { InDashboard, initiateTransfer, Reply, validateAccount } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { minus, naira } from '../../ui/money.ts'
import { BankField } from '../bank-field.tsx'
import { call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { newReference } from '../list/reference.ts'
import { OWN_ACCOUNTS } from '../own-accounts.ts'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

const SEND: Address<InDashboard<typeof initiateTransfer>> = {
  method: 'POST',
  path: '/dashboard/api/v2/disbursements/single',
}
const NAME: Address<InDashboard<typeof validateAccount>> = {
  method: 'GET',
  path: '/dashboard/api/v1/disbursements/account/validate',
}

/** A transfer whose receiver the bank has named. */
interface Ready {
  readonly amount: string
  readonly narration: string
  readonly destination: Reply<typeof validateAccount>
  /** One for as long as it is the same transfer, so that it is sent once. */
  readonly reference: string
}

/** Sends money to a bank account: first whom it reaches is asked of the bank, then it is sent. */
export default function NewTransfer({ go }: ScreenProps): JSX.Element {
  const { body: own, problem } = useReply(OWN_ACCOUNTS, {})
  const [ready, setReady] = useState<Ready>()
  const check = async ({ bankCode = '', accountNumber = '', amount = '', narration = '' }: Fields) => {
    const answer = await call(NAME, { query: { bankCode, accountNumber } })
    if (answer.kind !== 'done') return problemOf(answer)
    setReady({ amount, narration, destination: answer.body, reference: newReference('transfer') })
    return undefined
  }
  const send = async () => {
    if (ready === undefined || own === undefined) return undefined
    const { accountNumber, accountName, bankCode } = ready.destination
    const answer = await call(SEND, {
      body: {
        amount: ready.amount,
        narration: ready.narration,
        reference: ready.reference,
        destinationAccountNumber: accountNumber,
        destinationAccountName: accountName,
        destinationBankCode: bankCode,
        currency: 'NGN',
        sourceAccountNumber: own.walletAccountNumber,
      },
    })
    if (answer.kind !== 'done') return problemOf(answer)
    go(`/dashboard/search?text=${encodeURIComponent(ready.reference)}`)
    return undefined
  }
  if (own === undefined) return <Pending problem={problem} />
  return (
    <div class="stack">
      <h1>New transfer</h1>
      <section class="panel">
        {ready === undefined ? (
          <Form act={check} submit="Go on" cancel={() => go('/dashboard/transfers')}>
            <BankField name="bankCode" label="Bank" />
            <Field name="accountNumber" label="Account number" inputMode="numeric" hint="10 digits" />
            <Field name="amount" label="Amount in naira" inputMode="decimal" />
            <Field name="narration" label="For what" hint="The receiver reads it" />
          </Form>
        ) : (
          <Form act={send} submit="Send" cancel={() => setReady(undefined)}>
            <Receiver ready={ready} available={own.available} />
          </Form>
        )}
      </section>
    </div>
  )
}

interface ReceiverProps {
  readonly ready: Ready
  readonly available: number | null
}

/** An amount is not broken where there is little room. */
const AMOUNT = /^₦[\d,.]+$/

/** Whom the money reaches, as the bank has them, and what it leaves. */
function Receiver({ ready: { destination, amount, narration }, available }: ReceiverProps): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    ['To', destination.accountName],
    ['Account', destination.accountNumber],
    ['Amount', naira(Number(amount))],
    ['For', narration],
    ...(available === null
      ? []
      : [['Left in the wallet, before the fee', naira(minus(available, Number(amount)))] as const]),
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={AMOUNT.test(value) ? 'whole' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
