import type { Language } from '../ui/language.ts'
import type { CardField, Copied, Method } from './model.ts'

/** What a payer can do on the page. */
export interface Acts {
  readonly choose: (method: Method | null) => void
  readonly copy: (what: Copied, text: string) => void
  readonly tellSent: () => void
  readonly chooseBank: (bankCode: string) => void
  readonly writeCard: (field: CardField, input: HTMLInputElement) => void
  readonly payByCard: (form: HTMLFormElement) => void
  readonly confirm: (form: HTMLFormElement) => void
  readonly anotherCard: () => void
  readonly speak: (language: Language) => void
  readonly print: () => void
  readonly stay: () => void
  readonly close: () => void
}
