import type { enquireName, payIntoAccount } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { render } from 'preact'
import { call } from '../ui/call.ts'
import { browserNow } from '../ui/clock.ts'
import { type Field, firstModel, type Model, type Sent, type SimulatorPage } from './model.ts'
import { type Acts, Simulator } from './view.tsx'

const HISTORY = 'kobo-simulator-history'
const HISTORY_MAX = 50

const NAME_ENQUIRY: Address<typeof enquireName> = { method: 'GET', path: '/sandbox/name-enquiry' }
const TRANSFERS: Address<typeof payIntoAccount> = { method: 'POST', path: '/sandbox/transfers' }

const root = document.getElementById('app') as HTMLElement
const page = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as SimulatorPage

let model: Model = firstModel(page, new URLSearchParams(location.search), readHistory())

function change(changes: Partial<Model>): void {
  const isOther = changes.shown !== undefined && changes.shown !== model.shown
  model = { ...model, ...changes }
  render(<Simulator model={model} acts={acts} />, root)
  if (isOther) document.getElementById('panel')?.focus({ preventScroll: true })
}

const SHAPES: Partial<Record<Field, (text: string) => string>> = {
  accountNumber: (text) => text.replace(/\D/g, '').slice(0, 10),
  senderAccountNumber: (text) => text.replace(/\D/g, '').slice(0, 10),
  amount: (text) => text.replace(/[^\d.]/g, ''),
}

const acts: Acts = {
  write: (field, value) => {
    const { [field]: _, ...wrong } = model.wrong
    change({ fields: { ...model.fields, [field]: SHAPES[field]?.(value) ?? value }, wrong, problem: null })
    if (field === 'accountNumber' || field === 'bankCode') void enquire()
  },
  send: () => void send(),
  again: () => {
    change({ shown: null, fields: { ...model.fields, amount: '' } })
    void enquire()
  },
  forget: () => {
    writeHistory([])
    change({ history: [] })
  },
}

/** Asks whose account it is, as soon as the number is complete. */
async function enquire(): Promise<void> {
  const { bankCode, accountNumber } = model.fields
  if (accountNumber.length < 10) {
    change({ owner: { kind: 'none' } })
    return
  }
  change({ owner: { kind: 'asking' } })
  const answer = await call(NAME_ENQUIRY, { query: { bankCode, accountNumber } })
  // Another number may have been written meanwhile.
  if (model.fields.bankCode !== bankCode || model.fields.accountNumber !== accountNumber) return
  change({ owner: answer.kind === 'done' ? { kind: 'known', name: answer.body.accountName } : { kind: 'unknown' } })
}

async function send(): Promise<void> {
  if (model.busy) return
  const { fields, owner } = model
  const wrong = wrongOf(model)
  change({ wrong })
  const [first] = Object.keys(wrong)
  if (first !== undefined) {
    document.getElementById(first)?.focus()
    return
  }
  change({ busy: true, problem: null })
  const answer = await call(TRANSFERS, { body: fields })
  if (answer.kind !== 'done') {
    const problem =
      answer.kind === 'refused' ? answer.refused.message : 'The bank could not be reached. Please try again.'
    change({ busy: false, problem })
    return
  }
  const { accountNumber, bankCode } = fields
  const accountName = owner.kind === 'known' ? owner.name : ''
  const sent = {
    ...answer.body,
    amount: Number(fields.amount),
    accountName,
    accountNumber,
    bankCode,
    sentOn: browserNow(),
  }
  const history = [sent, ...model.history].slice(0, HISTORY_MAX)
  writeHistory(history)
  change({ busy: false, shown: sent, history })
}

function wrongOf({ fields }: Model): Model['wrong'] {
  const rules: readonly (readonly [Field, boolean, string])[] = [
    ['accountNumber', fields.accountNumber.length === 10, 'An account number has 10 digits.'],
    [
      'amount',
      /^\d{1,13}(\.\d{1,2})?$/.test(fields.amount) && Number(fields.amount) > 0,
      'Write an amount, as 5000 or 5000.50.',
    ],
    ['senderName', fields.senderName.trim() !== '', 'Somebody must send it.'],
    ['senderAccountNumber', fields.senderAccountNumber.length === 10, 'An account number has 10 digits.'],
  ]
  return Object.fromEntries(rules.filter(([, holds]) => !holds).map(([field, , text]) => [field, text]))
}

function readHistory(): readonly Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(HISTORY) ?? '[]') as Sent[]
  } catch {
    return [] // storage is switched off, or holds something else
  }
}

function writeHistory(history: readonly Sent[]): void {
  try {
    sessionStorage.setItem(HISTORY, JSON.stringify(history))
  } catch {
    // Without storage the list lasts as long as the page.
  }
}

change({})
void enquire()
