import type { Input, Reply, Route } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { Language } from '../ui/language.ts'
import type { CardField, Copied, Method } from './model.ts'

/** The customer's actions on the page. */
export interface Actions {
  readonly choose: (method: Method | null) => void
  readonly copy: (what: Copied, text: string) => void
  readonly confirmSent: () => void
  readonly chooseBank: (bankCode: string) => void
  readonly writeCard: (field: CardField, input: HTMLInputElement) => void
  readonly payByCard: (form: HTMLFormElement) => void
  readonly confirm: (form: HTMLFormElement) => void
  readonly anotherCard: () => void
  readonly setLanguage: (language: Language) => void
  readonly print: () => void
  readonly mailReceipt: () => void
  readonly stay: () => void
  readonly close: () => void
}

/** Calls the gateway while the customer waits. */
export type Ask = <R extends Route>(
  route: Address<R>,
  input: Input<R>,
  then: (reply: Reply<R>) => void,
) => Promise<void>
