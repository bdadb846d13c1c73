import type { getTransferFee, listBanks, Reply, validateAccount } from '@kobo/contract'
import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { minus, naira } from '../../ui/money.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { BankField } from '../parts/bank-field.tsx'
import { Field, type Fields, Form, Labelled } from '../parts/form.tsx'
import { newReference } from '../parts/list/reference.ts'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { type Suggestion, Suggestions } from '../parts/suggestions.tsx'
import type { ScreenProps } from '../shell/screen.ts'

/** A transfer whose account name the bank has confirmed. */
interface ReadyTransfer {
  readonly amount: string
  readonly narration: string
  readonly destination: Reply<typeof validateAccount>
  readonly cost: Reply<typeof getTransferFee>
  /** Stays the same on a retry, so that the money is sent only once. */
  readonly reference: string
}

/** Sends money to a bank account, after the user has checked the account name that the bank returns. */
export default function NewTransfer({ go }: ScreenProps): JSX.Element {
  const { body: own, problem } = useReply(routes.getOwnAccounts, {})
  const { body: banks } = useReply(routes.listBanks, {})
  const [typed, setTyped] = useState<Fields>({})
  const [choices, setChoices] = useState(0) // renews the fields at each choice, even if edited by hand
  const choose = useCallback((fields: Fields) => {
    setTyped((before) => ({ ...before, ...fields }))
    setChoices((before) => before + 1)
  }, [])
  const [ready, setReady] = useState<ReadyTransfer>()
  const check = async (fields: Fields): Promise<string | undefined> => {
    const { bankCode = '', accountNumber = '', amount = '', narration = '' } = fields
    setTyped(fields)
    const [account, cost] = await Promise.all([
      call(routes.validateAccount, { query: { bankCode, accountNumber } }),
      call(routes.getTransferFee, { query: { amount } }),
    ])
    if (cost.kind !== 'done') return problemOf(cost)
    if (account.kind !== 'done') return problemOf(account)
    setReady({ amount, narration, destination: account.body, cost: cost.body, reference: newReference('transfer') })
    return undefined
  }
  const send = async (): Promise<string | undefined> => {
    if (ready === undefined || own === undefined) return undefined
    const { accountNumber, accountName, bankCode } = ready.destination
    const result = await call(routes.initiateTransfer, {
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
            <RecipientField choose={choose} />
            <BankField key={`bank ${choices}`} name="bankCode" label="Bank" value={typed['bankCode'] ?? ''} />
            <Field
              key={`account ${choices}`}
              name="accountNumber"
              label="Account number"
              inputMode="numeric"
              hint="10 digits"
              value={typed['accountNumber'] ?? ''}
            />
            <Field name="amount" label="Amount in naira" type="amount" value={typed['amount'] ?? ''} />
            <Field name="narration" label="Narration" hint="The recipient sees this" value={typed['narration'] ?? ''} />
          </Form>
        ) : (
          <Form act={send} submit="Send money" cancel={() => setReady(undefined)}>
            <Summary ready={ready} available={own.available} banks={banks ?? []} />
          </Form>
        )}
      </section>
    </div>
  )
}

/** Finds an account that was paid before. Its name is checked with the bank again. */
function RecipientField({ choose }: { readonly choose: (fields: Fields) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const suggest = useCallback(
    async (text: string): Promise<readonly Suggestion[]> => {
      const result = await call(routes.findRecipients, { query: { text } })
      if (result.kind !== 'done') return []
      return result.body.recipients.map(({ bankCode, bankName, accountNumber, accountName }) => ({
        key: `${bankCode} ${accountNumber}`,
        text: accountName ?? accountNumber,
        content: (
          <>
            <b>{accountName ?? accountNumber}</b>
            <span class="quiet small">
              {accountNumber}, {bankName}
            </span>
          </>
        ),
        choose: () => choose({ bankCode, accountNumber }),
      }))
    },
    [choose],
  )
  return (
    <Labelled name="recipient" label="Find an earlier recipient (optional)" hint="Part of the name or account number">
      {({ name: _, ...control }) => (
        <>
          <input {...control} ref={field} type="text" autocomplete="off" />
          <Suggestions field={field} title="Recipients" suggest={suggest} lengthMin={1} />
        </>
      )}
    </Labelled>
  )
}

interface SummaryProps {
  readonly ready: ReadyTransfer
  readonly available: number | null
  readonly banks: Reply<typeof listBanks>
}

/** Amounts are never broken across lines. */
const AMOUNT = /^−?₦[\d,.]+$/

/** The transfer as it will be sent, with the account name from the bank. Takes the focus, so that it is read out. */
function Summary({ ready: { destination, amount, narration, cost }, available, banks }: SummaryProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const bankName = banks.find(({ code }) => code === destination.bankCode)?.name ?? destination.bankCode
  const facts: readonly (readonly [string, string])[] = [
    ['Account name', destination.accountName],
    ['Bank', bankName],
    ['Account number', destination.accountNumber],
    ['Amount', naira(Number(amount))],
    ['Fee', naira(cost.fee)],
    ['Total', naira(cost.total)],
    ['Narration', narration],
    ...(available === null ? [] : [['Balance after transfer', naira(minus(available, cost.total))] as const]),
  ]
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        Send {naira(Number(amount))} to {destination.accountName}?
      </h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={AMOUNT.test(value) ? 'whole' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
