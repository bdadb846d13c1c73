import * as routes from '../routes.ts'
import { type CallResult, call } from '../ui/call.ts'
import { copyText } from '../ui/copy.ts'
import type { Language } from '../ui/language.ts'
import type { Actions, Ask } from './actions.ts'
import { cardActions } from './card-actions.ts'
import { postToParent } from './frame.ts'
import { type Copied, type Method, type Model, methodsOf, stepOf } from './model.ts'
import type { CheckoutContext } from './store.ts'

const COPIED_MILLISECONDS = 2_000
const SENT_MILLISECONDS = 20_000
const LANGUAGE_SECONDS = 31_536_000

/** Implements the customer's actions. */
export function checkoutActions(context: CheckoutContext): Actions {
  const { model, change, params, update } = context

  // Ignores a call while another one is running.
  const request: Ask = async (route, input, then) => {
    if (model().busy) return
    change({ busy: true, problem: null, announced: '' })
    const response = await call(route, input)
    // After an error the page may be out of date; the current state also says why a card was declined.
    if (response.kind === 'rejected') await context.look()
    change({ busy: false })
    if (response.kind === 'done') then(response.body)
    else change({ problem: problemOf(response, model()) })
  }

  /** Shows the transfer screen at once and fills in the account when it arrives. */
  const openAccount = async (): Promise<void> => {
    if (model().busy) return
    change({ method: 'ACCOUNT_TRANSFER' })
    await request(routes.checkoutTransfer, { params, body: {} }, update)
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

  const confirmSent = (): void => {
    if (model().sent) return
    change({ sent: true, announced: model().words.checking })
    setTimeout(() => change({ sent: false }), SENT_MILLISECONDS)
    void context.look()
  }

  const chooseBank = (bankCode: string): void => {
    change({ bankCode, ussdPayment: null })
    void request(routes.checkoutUssd, { params, body: { bankCode } }, ({ checkout, ussdPayment }) => {
      update(checkout)
      if (model().bankCode === bankCode) change({ ussdPayment })
    })
  }

  return {
    choose,
    copy,
    confirmSent,
    chooseBank,
    setLanguage: rememberLanguage,
    print: () => {
      change({ leavingIn: null })
      print()
    },
    mailReceipt: () => {
      change({ leavingIn: null })
      void request(routes.mailReceipt, { params, body: { language: model().language } }, () =>
        change({ receiptMailed: true, announced: model().words.receiptMailed }),
      )
    },
    stay: () => change({ leavingIn: null }),
    close: () => postToParent(model().page.framedBy, 'close', model().checkout),
    ...cardActions(context, request),
  }
}

/** Stores the language for later pages. The clicked link reloads this page in that language. */
function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in customers' browsers
  document.cookie = `kobo_language=${language}; path=/; max-age=${LANGUAGE_SECONDS}; samesite=lax`
}

/** The message for a failed call; null if the page shows the reason itself, such as a declined card. */
function problemOf(response: Exclude<CallResult<unknown>, { kind: 'done' }>, model: Model): string | null {
  const { words } = model
  if (response.kind === 'unreached') return words.tryAgain
  const { code, status } = response.error
  if (
    (model.checkout.completed && status !== 429) ||
    (code === 'CARD_DECLINED' && model.checkout.card?.step === 'DECLINED')
  )
    return null
  if (code === 'WRONG_OTP') return words.wrongCode(model.checkout.card?.triesLeft ?? 0)
  const refusals: Readonly<Record<string, string | undefined>> = words.refusals
  return refusals[code ?? ''] ?? (status === 429 || status >= 500 ? words.busy : words.notPossible)
}
