import type { LinkPage } from '@kobo/contract'
import type { JSX } from 'preact'
import { Logo } from '../../ui/icons.tsx'
import { LANGUAGE_NAMES, type Language } from '../../ui/language.ts'
import type { Messages } from '../../ui/messages/en.ts'
import { naira } from '../../ui/money.ts'
import { Amount } from './amount.tsx'
import { MerchantHead } from './merchant.tsx'

const MINIMUM_NAIRA = 20

interface Props {
  readonly page: LinkPage
  readonly words: Messages
  readonly language: Language
}

/** A payment link's page: a plain form that leads to the checkout, without a script. */
export function LinkSlip({ page, words, language }: Props) {
  const { merchantName, title, description, amount } = page
  return (
    <main class="sheet checkout">
      <div class="slip">
        <header class="summary">
          <MerchantHead name={merchantName} logo={page.merchantLogo} isSandbox={page.isSandbox} words={words} />
          <h1 class="spaced">{title}</h1>
          {amount !== null && <Amount of={amount} />}
          {description !== null && <p class="for">{description}</p>}
        </header>
        <div class="perforation">
          <i />
        </div>
        <section class="stack panel">
          {page.state === 'OPEN' ? <PayerForm page={page} words={words} /> : <Closed page={page} words={words} />}
        </section>
      </div>
      <footer class="foot">
        <nav class="languages" aria-label={words.language}>
          {(Object.keys(LANGUAGE_NAMES) as Language[]).map((code) => (
            <a key={code} lang={code} href={`?lang=${code}`} aria-current={code === language ? 'true' : undefined}>
              {LANGUAGE_NAMES[code]}
            </a>
          ))}
        </nav>
        <span class="brand">
          <Logo /> {words.securedBy}
        </span>
      </footer>
    </main>
  )
}

function Closed({ page: { state, merchantName }, words }: Omit<Props, 'language'>) {
  if (state === 'PAID') return <p class="notice">{words.linkPaid}</p>
  return <p class="notice warn">{state === 'PAUSED' ? words.paused(merchantName) : words.linkOver(merchantName)}</p>
}

function PayerForm({ page: { amount, written, wrong }, words }: Omit<Props, 'language'>) {
  const texts = {
    amount: words.linkWrongAmount(naira(MINIMUM_NAIRA)),
    name: words.linkWrongName,
    email: words.linkWrongEmail,
  }
  const field = (name: LinkPage['wrong'][number]) => ({
    name,
    value: written[name],
    wrong: wrong.includes(name) ? texts[name] : undefined,
  })
  return (
    <form method="post" class="stack">
      {amount === null && (
        <Field {...field('amount')} label={words.linkAmount} inputMode="decimal" autoComplete="off" />
      )}
      <Field {...field('name')} label={words.linkName} autoComplete="name" />
      <Field {...field('email')} label={words.linkEmail} hint={words.linkEmailHint} type="email" autoComplete="email" />
      <button type="submit" class="button">
        {amount === null ? words.linkGo : words.pay(naira(amount))}
      </button>
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly autoComplete: string
  readonly hint?: string
  readonly wrong: string | undefined
  readonly type?: 'email'
  readonly inputMode?: 'decimal'
}

function Field({ name, label, value, hint, wrong, autoComplete, type, inputMode }: FieldProps): JSX.Element {
  const note = wrong ?? hint
  const props = {
    id: name,
    name,
    value,
    inputMode,
    autoComplete,
    required: true,
    maxLength: 255,
    'aria-invalid': wrong === undefined ? undefined : ('true' as const),
    'aria-describedby': note === undefined ? undefined : `${name}-note`,
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {type === 'email' ? <input type="email" {...props} /> : <input type="text" {...props} />}
      {note !== undefined && (
        <p id={`${name}-note`} class={wrong === undefined ? 'hint' : 'wrong'}>
          {note}
        </p>
      )}
    </div>
  )
}
