import type { JSX } from 'preact'
import { Logo, OutcomeCoin, TurningIcon } from '../ui/icons.tsx'
import { naira } from '../ui/money.ts'
import { bankName, type Field, type Model, reasonText, type Sent } from './model.ts'

export interface Acts {
  readonly write: (field: Field, value: string) => void
  readonly send: () => void
  readonly again: () => void
  readonly forget: () => void
}

interface Shown {
  readonly model: Model
  readonly acts: Acts
}

export const Simulator = (shown: Shown): JSX.Element => (
  <main class="sheet simulator">
    <div class="slip">
      <header class="summary stack-tight">
        <div class="merchant">
          <h1 class="name">Bank simulator</h1>
          <span class="badge">Sandbox</span>
        </div>
        <p class="quiet small">The customer’s banking app. It can pay into any account of the sandbox.</p>
      </header>
      <div class="perforation">
        <i />
      </div>
      <section class="stack panel" id="panel" tabIndex={-1}>
        {shown.model.shown === null ? <TransferForm {...shown} /> : <Done {...shown} sent={shown.model.shown} />}
      </section>
    </div>
    <History {...shown} />
    <footer class="foot">
      <a href="/">Start page</a>
      <a href="/demo-shop">Demo shop</a>
      <span class="brand">
        <Logo /> Kobo
      </span>
    </footer>
  </main>
)

const TransferForm = (shown: Shown): JSX.Element => {
  const { model, acts } = shown
  const { fields, owner, problem, busy } = model
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        acts.send()
      }}
    >
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="fields">
        <BankSelect {...shown} field="bankCode" label="Bank" />
        <TextField {...shown} field="accountNumber" label="Account number" inputMode="numeric" maxLength={10} />
        <p class="owner wide" role="status">
          {owner.kind === 'asking' && 'Looking up the name …'}
          {owner.kind === 'known' && (
            <>
              <span class="quiet small">Account name</span> <b>{owner.name}</b>
            </>
          )}
          {owner.kind === 'unknown' && <span class="wrong">This account does not exist at this bank.</span>}
          {owner.kind === 'none' && <span class="quiet small">The account name appears after ten digits.</span>}
        </p>
        <TextField {...shown} field="amount" label="Amount in naira" inputMode="decimal" maxLength={16} />
      </div>
      <details>
        <summary>
          From {fields.senderName}, {bankName(model, fields.senderBankCode)}
        </summary>
        <div class="fields">
          <TextField {...shown} field="senderName" label="Sender’s name" maxLength={255} />
          <BankSelect {...shown} field="senderBankCode" label="Sender’s bank" />
          <TextField
            {...shown}
            field="senderAccountNumber"
            label="Sender’s account number"
            inputMode="numeric"
            maxLength={10}
          />
        </div>
      </details>
      <button type="submit" class="button" aria-disabled={busy ? 'true' : undefined}>
        {busy && <TurningIcon />}
        {busy ? 'Sending …' : 'Send money'}
      </button>
    </form>
  )
}

interface FieldProps extends Shown {
  readonly field: Field
  readonly label: string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly maxLength?: number
}

function TextField({ model, acts, field, label, inputMode = 'text', maxLength }: FieldProps): JSX.Element {
  const wrong = model.wrong[field]
  return (
    <div class="field wide">
      <label for={field}>{label}</label>
      <input
        type="text"
        id={field}
        name={field}
        inputMode={inputMode}
        maxLength={maxLength}
        autoComplete="off"
        value={model.fields[field]}
        aria-invalid={wrong === undefined ? undefined : 'true'}
        aria-describedby={wrong === undefined ? undefined : `${field}-wrong`}
        onInput={(event) => acts.write(field, event.currentTarget.value)}
      />
      {wrong !== undefined && (
        <p class="wrong" id={`${field}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  )
}

const BankSelect = ({ model, acts, field, label }: FieldProps): JSX.Element => (
  <div class="field wide">
    <label for={field}>{label}</label>
    <select id={field} name={field} onChange={(event) => acts.write(field, event.currentTarget.value)}>
      {model.page.banks.map(({ code, name }) => (
        <option key={code} value={code} selected={code === model.fields[field]}>
          {name}
        </option>
      ))}
    </select>
  </div>
)

const Done = ({ model, acts, sent }: Shown & { readonly sent: Sent }): JSX.Element => {
  const isAccepted = sent.status === 'ACCEPTED'
  return (
    <>
      <div class="outcome" role="status">
        <OutcomeCoin outcome={isAccepted ? 'paid' : 'ended'} />
        <h2>{isAccepted ? `${naira(sent.amount)} sent` : 'Money returned'}</h2>
        <p class="quiet">{isAccepted ? `to ${sent.accountName}` : reasonText(sent.reason)}</p>
      </div>
      <dl class="facts">
        <div>
          <dt>Account</dt>
          <dd>
            {sent.accountNumber}, {bankName(model, sent.bankCode)}
          </dd>
        </div>
        <div>
          <dt>Session ID</dt>
          <dd class="small">{sent.sessionId}</dd>
        </div>
      </dl>
      <button type="button" class="button plain" onClick={acts.again}>
        Send another
      </button>
    </>
  )
}

const History = ({ model, acts }: Shown): JSX.Element | null =>
  model.history.length === 0 ? null : (
    <section class="history" aria-labelledby="history">
      <h2 id="history">Sent from this window</h2>
      <ul>
        {model.history.map((sent) => (
          <li key={sent.sessionId}>
            <span>
              <b>{sent.accountName || sent.accountNumber}</b>
              <small class="quiet">
                {sent.accountNumber} · {bankName(model, sent.bankCode)}
              </small>
            </span>
            <span class="right">
              <b class="number">{naira(sent.amount)}</b>
              <small class={sent.status === 'ACCEPTED' ? 'quiet' : 'wrong'}>
                {sent.status === 'ACCEPTED' ? 'sent' : 'returned'}
              </small>
            </span>
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={acts.forget}>
        Clear list
      </button>
    </section>
  )
