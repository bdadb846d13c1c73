import { fromNaira } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets, hmacSha256Hex } from '@kobo/gateway/platform/crypto.ts'
import type { Connector, ConnectorKind } from '../../connector.ts'
import {
  BANKS_SETTING,
  CODES_SETTING,
  connector,
  creditOf,
  institutions,
  isNamed,
  manifestOf,
  NIP_CODES,
  notifyAndWait,
  openLine,
  PARTNER_SETTINGS,
  readJson,
  TRIAL_SETTING,
  textAt,
  trialTransfer,
  whyNotOptions,
  withCodes,
} from '../../kit/index.ts'
import type { Notifier } from '../../notifier.ts'
import { AMOUNT_MIN, type Deps, transferOperations } from './transfers.ts'

/** A connector to copy: transfers and notifications of a fictional bank, whose API is described in its simulator. */
export const templateKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'SECRET', help: 'Shared signing secret', isSecret: true },
    { name: 'BANK_CODE', help: 'The bank’s code', standard: '058' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, notifier } = tools
    const line = openLine(settings)
    const banks = institutions(settings.text('BANKS'))
    const codes = withCodes(NIP_CODES, settings.text('CODES'))
    const signatureOf = (text: string): string => hmacSha256Hex(settings.secret('SECRET').reveal(), text)
    const callPartner: Deps['callPartner'] = (request) => {
      const body = request.body === undefined ? '' : JSON.stringify(request.body)
      return line.callPartner({ ...request, body, headers: { 'x-signature': signatureOf(`${request.path}${body}`) } })
    }
    return connector({
      manifest: manifestOf(tools, {
        name: 'Example Bank',
        capabilities: ['transfers', 'name-enquiry', 'credits'],
        limits: { amountMin: Number(AMOUNT_MIN) },
        trial: { amount: 10_000, ...trialTransfer(settings.text('TRIAL_ACCOUNT')) },
      }),
      operations: transferOperations({ callPartner, banks, codes }),
      handleCallback: noticesOf({ bankCode: settings.text('BANK_CODE'), bankOf: banks.bankOf, signatureOf, notifier }),
      close: line.close,
    })
  },
}

interface NoticeDeps {
  readonly bankCode: string
  readonly bankOf: (number: string) => string
  readonly signatureOf: (text: string) => string
  readonly notifier: Notifier
}

/** Handles credit notifications. The signature covers the whole message, so no confirmation is needed. */
const noticesOf =
  ({ bankCode, bankOf, signatureOf, notifier }: NoticeDeps): NonNullable<Connector['handleCallback']> =>
  async ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== 'notice') return { status: 404, body: {} }
    if (!equalSecrets(String(headers['x-signature'] ?? ''), signatureOf(body.toString())))
      return { status: 401, body: { code: '63' } }
    const notice = readJson(body)
    const railReference = textAt(notice, 'session') ?? ''
    const accountNumber = textAt(notice, 'account') ?? ''
    const amount = fromNaira(textAt(notice, 'amount') ?? '')
    if (amount === undefined || !isNamed(railReference, accountNumber)) return { status: 400, body: { code: '30' } }
    const credit = creditOf({
      railReference,
      bankCode,
      accountNumber,
      amount,
      payerName: textAt(notice, 'sender.name'),
      payerAccountNumber: textAt(notice, 'sender.account'),
      payerBankCode: bankOf(textAt(notice, 'sender.bank') ?? ''),
      narration: textAt(notice, 'narration'),
      arrivedAt: textAt(notice, 'time'),
    })
    const outcome = await notifyAndWait(notifier, 'credits', credit)
    return { status: 200, body: { code: outcome === undefined ? '96' : '00' } }
  }
