import { render } from 'preact'
import * as routes from '../routes.ts'
import { call } from '../ui/call.ts'
import { readKobo } from '../ui/money.ts'
import { type Field, firstModel, type Model, type Sent, type SimulatorPage } from './model.ts'
import { type Acts, Simulator } from './view.tsx'

const HISTORY = 'kobo-simulator-history'
const HISTORY_MAX = 50

const root = document.getElementById('app') as HTMLElement
const page = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as SimulatorPage

let model: Model = firstModel(page, new URLSearchParams(location.search), readHistory())

function change(changes: Partial<Model>): void {
  const isOtherView = changes.shown !== undefined && changes.shown !== model.shown
  model = { ...model, ...changes }
  render(<Simulator model={model} acts={acts} />, root)
  if (isOtherView) document.getElementById('panel')?.focus({ preventScroll: true })
}

const FORMATS: Partial<Record<Field, (text: string) => string>> = {
  accountNumber: (text) => text.replace(/\D/g, '').slice(0, 10),
  senderAccountNumber: (text) => text.replace(/\D/g, '').slice(0, 10),
  amount: (text) => text.replace(/[^\d.]/g, ''),
}

const acts: Acts = {
  write: (field, value) => {
    const { [field]: _, ...wrong } = model.wrong
    change({ fields: { ...model.fields, [field]: FORMATS[field]?.(value) ?? value }, wrong, problem: null })
    if (field === 'accountNumber' || field === 'bankCode') void lookUpName()
  },
  send: () => void send(),
  again: () => {
    change({ shown: null, fields: { ...model.fields, amount: '' } })
    void lookUpName()
  },
  forget: () => {
    writeHistory([])
    change({ history: [] })
  },
}

/** Looks up the account name once the number is complete. */
async function lookUpName(): Promise<void> {
  const { bankCode, accountNumber } = model.fields
  if (accountNumber.length < 10) {
    change({ owner: { kind: 'none' } })
    return
  }
  change({ owner: { kind: 'asking' } })
  const response = await call(routes.enquireName, { query: { bankCode, accountNumber } })
  // The number may have changed meanwhile.
  if (model.fields.bankCode !== bankCode || model.fields.accountNumber !== accountNumber) return
  change({ owner: response.kind === 'done' ? { kind: 'known', name: response.body.accountName } : { kind: 'unknown' } })
}

async function send(): Promise<void> {
  if (model.busy) return
  const { fields, owner } = model
  const wrong = errorsOf(model)
  change({ wrong })
  const [first] = Object.keys(wrong)
  if (first !== undefined) {
    document.getElementById(first)?.focus()
    return
  }
  change({ busy: true, problem: null })
  const response = await call(routes.payIntoAccount, { body: fields })
  if (response.kind !== 'done') {
    const problem =
      response.kind === 'rejected' ? response.error.message : 'We couldn’t reach the bank. Please try again.'
    change({ busy: false, problem })
    return
  }
  const { accountNumber, bankCode } = fields
  const accountName = owner.kind === 'known' ? owner.name : ''
  const sent = {
    ...response.body,
    amount: Number(fields.amount),
    accountName,
    accountNumber,
    bankCode,
  }
  const history = [sent, ...model.history].slice(0, HISTORY_MAX)
  writeHistory(history)
  change({ busy: false, shown: sent, history })
}

function errorsOf({ fields }: Model): Model['wrong'] {
  const rules: readonly (readonly [Field, boolean, string])[] = [
    ['accountNumber', fields.accountNumber.length === 10, 'An account number has 10 digits.'],
    ['amount', (readKobo(fields.amount) ?? 0) > 0, 'Enter an amount, e.g. 5000 or 5000.50.'],
    ['senderName', fields.senderName.trim() !== '', 'Enter the sender’s name.'],
    ['senderAccountNumber', fields.senderAccountNumber.length === 10, 'An account number has 10 digits.'],
  ]
  return Object.fromEntries(rules.filter(([, holds]) => !holds).map(([field, , text]) => [field, text]))
}

function readHistory(): readonly Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(HISTORY) ?? '[]') as Sent[]
  } catch {
    return [] // storage is switched off, or its content is not ours
  }
}

function writeHistory(history: readonly Sent[]): void {
  try {
    sessionStorage.setItem(HISTORY, JSON.stringify(history))
  } catch {
    // Without storage, the list is lost when the page is closed or reloaded.
  }
}

change({})
void lookUpName()
