import { type Answer, call } from '../ui/call.ts'
import { copyText } from '../ui/copy.ts'
import type { Language } from '../ui/language.ts'
import type { Actions, Ask } from './actions.ts'
import { cardActions } from './card-actions.ts'
import { tell } from './frame.ts'
import { type Copied, type Method, type Model, methodsOf, stepOf } from './model.ts'
import { ROUTES } from './routes.ts'
import type { CheckoutContext } from './store.ts'

const COPIED_MILLISECONDS = 2_000
const SENT_MILLISECONDS = 20_000
const LANGUAGE_SECONDS = 31_536_000

/** What a payer can do, and what comes of it. */
export function checkoutActions(context: CheckoutContext): Actions {
  const { model, change, params, learn } = context

  // One thing at a time.
  const ask: Ask = async (route, input, then) => {
    if (model().busy) return
    change({ busy: true, problem: null, announced: '' })
    const answer = await call(route, input)
    // A refusal may mean that the payment has come further than this page knows, and tells why a card was declined.
    if (answer.kind === 'refused') await context.look()
    change({ busy: false })
    if (answer.kind === 'done') then(answer.body)
    else change({ problem: problemOf(answer, model()) })
  }

  /** The screen changes at once, where the payer touched it; the account comes into its place there. */
  const openAccount = async (): Promise<void> => {
    if (model().busy) return
    change({ method: 'ACCOUNT_TRANSFER' })
    await ask(ROUTES.transfer, { params, body: {} }, learn)
    if (model().checkout.account === null && methodsOf(model().checkout).length > 1) change({ method: null })
  }

  const choose = (method: Method | null): void => {
    if (method === 'ACCOUNT_TRANSFER' && model().checkout.account === null) void openAccount()
    else change({ method, problem: null, card: stepOf(model().checkout), wrong: {}, brand: null })
  }

  const copy = async (what: Copied, text: string): Promise<void> => {
    if (!(await copyText(text))) return
    change({ copied: what, announced: model().words.copied })
    setTimeout(() => model().copied === what && change({ copied: null, announced: '' }), COPIED_MILLISECONDS)
  }

  const tellSent = (): void => {
    if (model().sent) return
    change({ sent: true, announced: model().words.checking })
    setTimeout(() => change({ sent: false }), SENT_MILLISECONDS)
    void context.look()
  }

  const chooseBank = (bankCode: string): void => {
    change({ bankCode, ussdPayment: null })
    void ask(ROUTES.ussd, { params, body: { bankCode } }, ({ checkout, ussdPayment }) => {
      learn(checkout)
      if (model().bankCode === bankCode) change({ ussdPayment })
    })
  }

  return {
    choose,
    copy,
    tellSent,
    chooseBank,
    speak: remember,
    print: () => {
      change({ leavingIn: null })
      print()
    },
    mailReceipt: () => {
      change({ leavingIn: null })
      void ask(ROUTES.receipt, { params, body: { language: model().language } }, () =>
        change({ receiptMailed: true, announced: model().words.receiptMailed }),
      )
    },
    stay: () => change({ leavingIn: null }),
    close: () => tell(model().page.framedBy, 'close', model().checkout),
    ...cardActions(context, ask),
  }
}

/** Remembers the language for the next page too: the link that was clicked leads to this one in it. */
function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is not in the browsers that payers have
  document.cookie = `kobo_language=${language}; path=/; max-age=${LANGUAGE_SECONDS}; samesite=lax`
}

/** Why a call did not succeed, in words for the payer; null where the page says so by itself, as of a card that was declined. */
function problemOf(answer: Exclude<Answer<unknown>, { kind: 'done' }>, model: Model): string | null {
  const { words } = model
  if (answer.kind === 'unreached') return words.tryAgain
  const { code, status } = answer.refused
  if (
    (model.checkout.completed && status !== 429) ||
    (code === 'CARD_DECLINED' && model.checkout.card?.step === 'DECLINED')
  )
    return null
  if (code === 'WRONG_OTP') return words.wrongCode(model.checkout.card?.triesLeft ?? 0)
  const refusals: Readonly<Record<string, string | undefined>> = words.refusals
  return refusals[code ?? ''] ?? (status === 429 || status >= 500 ? words.busy : words.notPossible)
}
