import type { Reply, validateAccount } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { koboOf, koboText, readKobo } from '../../ui/money.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { BankField } from '../parts/bank-field.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { newReference } from '../parts/list/reference.ts'
import { LoadingOrError } from '../parts/loading.tsx'
import type { ScreenProps } from '../shell/screen.ts'

/** A transfer whose account name the bank has confirmed. */
interface ReadyTransfer {
  readonly kobo: number
  readonly narration: string
  readonly destination: Reply<typeof validateAccount>
  /** Stays the same on a retry, so that the money is sent only once. */
  readonly reference: string
}

/** Sends money to a bank account, after the user has checked the account name that the bank returns. */
export default function NewTransfer({ go }: ScreenProps): JSX.Element {
  const { body: own, problem } = useReply(routes.getOwnAccounts, {})
  const [ready, setReady] = useState<ReadyTransfer>()
  const check = async ({ bankCode = '', accountNumber = '', amount = '', narration = '' }: Fields) => {
    const kobo = readKobo(amount)
    if (kobo === undefined || kobo === 0) return 'Enter an amount, e.g. 5000 or 5,000.50.'
    const result = await call(routes.validateAccount, { query: { bankCode, accountNumber } })
    if (result.kind !== 'done') return problemOf(result)
    setReady({ kobo, narration, destination: result.body, reference: newReference('transfer') })
    return undefined
  }
  const send = async () => {
    if (ready === undefined || own === undefined) return undefined
    const { accountNumber, accountName, bankCode } = ready.destination
    const result = await call(routes.initiateTransfer, {
      body: {
        amount: koboText(ready.kobo).replaceAll(/[₦,]/g, ''),
        narration: ready.narration,
        reference: ready.reference,
        destinationAccountNumber: accountNumber,
        destinationAccountName: accountName,
        destinationBankCode: bankCode,
        currency: 'NGN',
        sourceAccountNumber: own.walletAccountNumber,
      },
    })
    if (result.kind !== 'done') return problemOf(result)
    go(`/dashboard/search?text=${encodeURIComponent(ready.reference)}`)
    return undefined
  }
  if (own === undefined) return <LoadingOrError problem={problem} />
  return (
    <div class="stack">
      <h1>New transfer</h1>
      <section class="panel">
        {ready === undefined ? (
          <Form act={check} submit="Continue" cancel={() => go('/dashboard/transfers')}>
            <BankField name="bankCode" label="Bank" />
            <Field name="accountNumber" label="Account number" inputMode="numeric" hint="10 digits" />
            <Field name="amount" label="Amount in naira" inputMode="decimal" />
            <Field name="narration" label="Narration" hint="The recipient sees this" />
          </Form>
        ) : (
          <Form act={send} submit="Send money" cancel={() => setReady(undefined)}>
            <Summary ready={ready} available={own.available} />
          </Form>
        )}
      </section>
    </div>
  )
}

interface SummaryProps {
  readonly ready: ReadyTransfer
  readonly available: number | null
}

/** Amounts are never broken across lines. */
const AMOUNT = /^₦[\d,.]+$/

/** The transfer as it will be sent, with the account name from the bank. */
function Summary({ ready: { destination, kobo, narration }, available }: SummaryProps): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    ['Account name', destination.accountName],
    ['Account number', destination.accountNumber],
    ['Amount', koboText(kobo)],
    ['Narration', narration],
    ...(available === null
      ? []
      : [['Balance after transfer (excluding fee)', koboText(koboOf(available) - kobo)] as const]),
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
