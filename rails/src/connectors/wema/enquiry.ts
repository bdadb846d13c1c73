import type { PartnerSetting, Reply } from '../../connector.ts'
import { readJson, tellWaiting, textAt } from '../../kit/index.ts'
import type { Teller } from '../../teller.ts'

/** The bank's document has what it asks, and not what it wants to be answered: so that is a setting. */
export const ENQUIRY_REPLY_SETTING: PartnerSetting = {
  name: 'ENQUIRY_REPLY',
  help: 'How an enquiry is answered, as JSON with {name}, {code} and {text} where they belong',
  standard: '{"accountname":"{name}","status":"{code}","status_desc":"{text}"}',
  whyNot: (text) => (readJson(Buffer.from(text)) === undefined ? 'must be a JSON object' : undefined),
}

/** Fills in a reply. What is filled in is data, and can be nothing else. */
export const filledIn = (reply: string, values: Readonly<Record<string, string>>): object =>
  JSON.parse(reply, (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/\{(name|code|text)\}/g, (_all, key: string) => values[key] ?? '')
      : value,
  )

interface Deps {
  readonly teller: Teller
  readonly bankCode: string
  readonly reply: string
}

/** Somebody is about to pay: whose the number is, the gateway knows. What has expired is not found, so that nobody pays into it. */
export const answerEnquiry =
  ({ teller, bankCode, reply }: Deps) =>
  async (body: Buffer): Promise<Reply> => {
    const accountNumber = textAt(readJson(body), 'accountnumber') ?? ''
    const isNumber = /^\d{10}$/.test(accountNumber)
    const told = isNumber
      ? await tellWaiting(teller, 'name-enquiry', { bankCode, accountNumber })
      : { kind: 'not found' }
    const name = textAt(told, 'accountName')
    if (told?.kind === 'found' && name !== undefined)
      return { status: 200, body: filledIn(reply, { name, code: '00', text: 'success' }) }
    const [code, text] = told === undefined ? ['96', 'try again'] : ['07', 'invalid account']
    return { status: 200, body: filledIn(reply, { name: '', code, text }) }
  }
