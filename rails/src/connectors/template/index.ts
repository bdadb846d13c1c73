import { fromNaira, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets, hmacSha256Hex } from '@kobo/gateway/platform/crypto.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  amountOf,
  BANKS_SETTING,
  CODES_SETTING,
  connector,
  creditOf,
  institutions,
  isNamed,
  manifestOf,
  NIP_CODES,
  narrationOf,
  notSent,
  openLine,
  outcomeOf,
  PARTNER_SETTINGS,
  type Question,
  readJson,
  type Said,
  TRIAL_SETTING,
  tellWaiting,
  textAt,
  trialTransfer,
  UNKNOWN,
  whyNotOptions,
  wireText,
  withCodes,
} from '../../kit/index.ts'

/** How long the bank's references may be: from its document. */
const REFERENCE_LENGTH_MAX = 30
/** What it answers to a reference that it has already: what became of that, it must be asked. */
const DUPLICATE = '94'

/** A connector to copy: transfers and notices of a bank that nobody has, whose document is the simulator's comment. */
export const templateKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'SECRET', help: 'What both sides sign with', isSecret: true },
    { name: 'BANK_CODE', help: 'The bank’s code', standard: '058' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, teller } = tools
    const line = openLine(settings)
    const banks = institutions(settings.text('BANKS'))
    const codes = withCodes(NIP_CODES, settings.text('CODES'))
    const signatureOf = (text: string): string => hmacSha256Hex(settings.secret('SECRET').reveal(), text)
    const ask = (question: Question): Promise<Said> => {
      const body = question.body === undefined ? '' : JSON.stringify(question.body)
      return line.ask({ ...question, body, headers: { 'x-signature': signatureOf(`${question.path}${body}`) } })
    }

    /** What became of a transfer. That the bank has none is no promise that it never will. */
    async function find(reference: string) {
      const said = await ask({ path: `/transfers/${wireText(reference, REFERENCE_LENGTH_MAX)}`, method: 'GET' })
      return said.kind === 'answered' ? outcomeOf(codes, saidIn(said)) : UNKNOWN
    }

    return connector({
      manifest: manifestOf(tools, {
        name: 'Example Bank',
        capabilities: ['transfers', 'name-enquiry', 'credits'],
        limits: { amountMin: 100 },
        trial: { amount: 10_000, ...trialTransfer(settings.text('TRIAL_ACCOUNT')) },
      }),
      operations: {
        'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
          const bank = banks.numberOf(bankCode)
          if (bank === undefined) return { kind: 'not found' }
          const said = await ask({ path: '/names', body: { bank, account: accountNumber } })
          if (said.kind !== 'answered') return { kind: 'unavailable' }
          const accountName = textAt(said.body, 'name')
          if (textAt(said.body, 'code') === '00' && accountName) return { kind: 'found', accountName }
          return textAt(said.body, 'code') === '07' ? { kind: 'not found' } : { kind: 'unavailable' }
        },
        'transfer/send': async (order) => {
          const bank = banks.numberOf(order.destination.bankCode)
          if (bank === undefined) return notSent(`Nothing is known of bank ${order.destination.bankCode}`)
          const said = await ask({
            path: '/transfers',
            body: {
              reference: wireText(order.reference, REFERENCE_LENGTH_MAX),
              amount: toNairaText(amountOf(order)),
              bank,
              account: order.destination.accountNumber,
              name: order.destination.accountName,
              narration: narrationOf(order.narration),
            },
          })
          if (said.kind === 'not reached') return notSent('The bank cannot be reached')
          if (said.kind === 'no answer') return UNKNOWN
          return textAt(said.body, 'code') === DUPLICATE ? find(order.reference) : outcomeOf(codes, saidIn(said))
        },
        'transfer/find': ({ reference }) => find(reference),
      },
      hear: async ({ method, path, headers, body }) => {
        if (method !== 'POST' || path !== 'notice') return { status: 404, body: {} }
        if (!equalSecrets(String(headers['x-signature'] ?? ''), signatureOf(body.toString())))
          return { status: 401, body: { code: '63' } }
        const notice = readJson(body)
        const railReference = textAt(notice, 'session')
        const accountNumber = textAt(notice, 'account')
        const amount = fromNaira(textAt(notice, 'amount') ?? '')
        if (amount === undefined || !isNamed(railReference, accountNumber)) return { status: 400, body: { code: '30' } }
        const credit = creditOf({
          railReference: railReference ?? '',
          bankCode: settings.text('BANK_CODE'),
          accountNumber: accountNumber ?? '',
          amount,
          payerName: textAt(notice, 'sender.name'),
          payerAccountNumber: textAt(notice, 'sender.account'),
          payerBankCode: banks.bankOf(textAt(notice, 'sender.bank') ?? ''),
          narration: textAt(notice, 'narration'),
        })
        const told = await tellWaiting(teller, 'credits', credit)
        return { status: 200, body: { code: told === undefined ? '96' : '00' } }
      },
      close: line.close,
    })
  },
}

const saidIn = ({ body }: Extract<Said, { kind: 'answered' }>) => ({
  code: textAt(body, 'code'),
  sessionId: textAt(body, 'session'),
  message: textAt(body, 'message'),
  amount: fromNaira(textAt(body, 'amount') ?? ''),
})
