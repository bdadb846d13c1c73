import { naira, plainAmount, readKobo } from '../../ui/money.ts'

export type Fields = Readonly<Record<string, string>>

/** Error messages by field name; `FORM_ERROR` has those of the whole form. */
export type Errors = Readonly<Record<string, string>>
export const FORM_ERROR = ''

const inputOf = (form: HTMLFormElement, name: string): Element | RadioNodeList | null => form.elements.namedItem(name)

/** Reads a form, and converts amounts from the way people write them to the API's format. */
export function readFields(form: HTMLFormElement): { readonly fields: Fields; readonly errors: Errors } {
  const fields: Record<string, string> = {}
  const errors: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim()
    const input = inputOf(form, name)
    fields[name] = text
    if (text === '' || !(input instanceof HTMLInputElement) || input.dataset['amount'] === undefined) continue
    const kobo = readKobo(text)
    if (kobo === undefined) errors[name] = AMOUNT_ERROR
    else fields[name] = plainAmount(kobo)
  }
  return { fields, errors }
}

export const AMOUNT_ERROR = 'Enter an amount, such as 5,000 or 5,000.50.'

/**
 * An error message that starts with a field name, such as `change.settlementAccount.bankCode` or
 * `transactionList[2].amount`.
 */
const FIELD_ERROR = /^(?:Invalid account details: )?([A-Za-z][\w.[\]]*) (.+)$/s
const PLAIN_AMOUNT = /(?<![\d₦.,])\d{1,13}\.\d{2}(?![\d.])/g

/** Splits an API error message into one message per field. Each starts with the field's label instead of its name. */
export function errorsOf(message: string | undefined, form: HTMLFormElement): Errors {
  const errors: Record<string, string> = {}
  for (const part of message?.split('; ') ?? []) {
    const [, path = '', rule = ''] = FIELD_ERROR.exec(part) ?? []
    const whole = path.replaceAll(/\[\d+\]/g, '')
    const name = [whole, whole.split('.').at(-1) ?? ''].find((one) => one !== '' && hasField(form, one)) ?? FORM_ERROR
    const text = (name === FORM_ERROR ? part : `${labelOf(form, name)} ${rule}`).replaceAll(PLAIN_AMOUNT, (amount) =>
      naira(Number(amount)),
    )
    errors[name] = errors[name] === undefined ? text : `${errors[name]}; ${text}`
  }
  return errors
}

const hasField = (form: HTMLFormElement, name: string): boolean => inputOf(form, name) !== null

/** The label's text without its unit: "Amount", not "Amount in naira". */
function labelOf(form: HTMLFormElement, name: string): string {
  const input = inputOf(form, name)
  const label = input instanceof Element ? (input as HTMLInputElement).labels?.[0]?.textContent : undefined
  return (label ?? name).replace(/,? in naira$/, '')
}
