import type { PartnerSetting, Reply } from '../../connector.ts'
import { notifyAndWait, readJson, textAt } from '../../kit/index.ts'
import type { Notifier } from '../../notifier.ts'

/** The bank's document describes the request but not the response, so the response is a setting. */
export const ENQUIRY_REPLY_SETTING: PartnerSetting = {
  name: 'ENQUIRY_REPLY',
  help: 'Template of the enquiry response: JSON with the placeholders {name}, {code} and {text}',
  standard: '{"accountname":"{name}","status":"{code}","status_desc":"{text}"}',
  whyNot: (text) => (readJson(Buffer.from(text)) === undefined ? 'must be a JSON object' : undefined),
}

/** Fills in a response template. Values are inserted as data and cannot change the template. */
export const filledIn = (reply: string, values: Readonly<Record<string, string>>): object =>
  JSON.parse(reply, (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/\{(name|code|text)\}/g, (_all, key: string) => values[key] ?? '')
      : value,
  )

interface Deps {
  readonly notifier: Notifier
  readonly bankCode: string
  readonly reply: string
}

/**
 * Responds to the bank's name enquiry with the gateway's data. An expired number is not found, so that no one pays into
 * it.
 */
export const respondToEnquiry =
  ({ notifier, bankCode, reply }: Deps) =>
  async (body: Buffer): Promise<Reply> => {
    const accountNumber = textAt(readJson(body), 'accountnumber') ?? ''
    const isNumber = /^\d{10}$/.test(accountNumber)
    const outcome = isNumber
      ? await notifyAndWait(notifier, 'name-enquiry', { bankCode, accountNumber })
      : { kind: 'not found' }
    const name = textAt(outcome, 'accountName')
    if (outcome?.kind === 'found' && name !== undefined)
      return { status: 200, body: filledIn(reply, { name, code: '00', text: 'success' }) }
    const [code, text] = outcome === undefined ? ['96', 'try again'] : ['07', 'invalid account']
    return { status: 200, body: filledIn(reply, { name: '', code, text }) }
  }
