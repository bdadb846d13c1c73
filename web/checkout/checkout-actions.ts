import { type Answer, call } from '../ui/call.ts'
import { copyText } from '../ui/copy.ts'
import type { Language } from '../ui/language.ts'
import type { Actions, Ask } from './actions.ts'
import { cardActions } from './card-actions.ts'
import { tell } from './frame.ts'
import { type Copied, type Method, type Model, methodsOf, wordsOf } from './model.ts'
import { ROUTES } from './routes.ts'
import type { CheckoutContext } from './store.ts'

const COPIED_MILLISECONDS = 2_000
const SENT_MILLISECONDS = 20_000
const LANGUAGE_SECONDS = 31_536_000

/** What a payer can do, and what comes of it. */
export function checkoutActions(context: CheckoutContext): Actions {
  const { model, change, params, learn } = context

  // One thing at a time.
  const ask: Ask = async (route, input, then, onRefused) => {
    if (model().busy) return
    change({ busy: true, problem: null, announced: '' })
    const answer = await call(route, input)
    change({ busy: false })
    if (answer.kind === 'done') then(answer.body)
    else change({ problem: problemOf(answer, model()) })
    if (answer.kind !== 'refused') return
    onRefused?.(answer.refused)
    // It may mean that the payment has come further than this page knows.
    void context.look()
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
    else change({ method, problem: null, card: { kind: 'form' }, wrong: {}, brand: null })
  }

  const copy = async (what: Copied, text: string): Promise<void> => {
    if (!(await copyText(text))) return
    change({ copied: what, announced: wordsOf(model()).copied })
    setTimeout(() => model().copied === what && change({ copied: null, announced: '' }), COPIED_MILLISECONDS)
  }

  const tellSent = (): void => {
    if (model().sent) return
    change({ sent: true, announced: wordsOf(model()).checking })
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
    speak: (language) => speak(context, language),
    print: () => {
      change({ leavingIn: null })
      print()
    },
    stay: () => change({ leavingIn: null }),
    close: () => tell(model().page.framedBy, 'close', model().checkout),
    ...cardActions(context, ask),
  }
}

/** Says everything in another language from now on, on the next page too. */
function speak({ model, change }: CheckoutContext, language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is not in the browsers that payers have
  document.cookie = `kobo_language=${language}; path=/checkout; max-age=${LANGUAGE_SECONDS}; samesite=lax`
  document.documentElement.lang = language
  change({ language, problem: null, wrong: {}, announced: '' })
  document.title = wordsOf(model()).pageTitle(model().checkout.merchantName)
}

/** Why a call did not succeed, in words for the payer. */
function problemOf(answer: Exclude<Answer<unknown>, { kind: 'done' }>, model: Model): string {
  return answer.kind === 'refused' && answer.refused.status < 500 && answer.refused.status !== 429
    ? answer.refused.message
    : wordsOf(model).tryAgain
}
