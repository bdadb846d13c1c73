import { hash } from 'node:crypto'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { fromNaira, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  BANKS_SETTING,
  connector,
  creditOf,
  institutions,
  isBasic,
  isNamed,
  manifestOf,
  notifyAndWait,
  openLine,
  PARTNER_SETTINGS,
  readJson,
  textAt,
  whyNotOptions,
} from '../../kit/index.ts'
import { accountOperations } from './accounts.ts'
import { openMerchantApi } from './api.ts'
import { confirmPayment, refundOperations } from './payments.ts'

/** Issued account numbers of 9 Payment Service Bank: open, close, notifications, refunds. */
export const ninePsbKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'PUBLIC_KEY', help: 'The client’s public key' },
    { name: 'PRIVATE_KEY', help: 'The client’s private key', isSecret: true },
    { name: 'NOTICE_USER', help: 'User name in the bank’s notifications' },
    { name: 'NOTICE_PASSWORD', help: 'Password in the bank’s notifications; their hash uses it too', isSecret: true },
    { name: 'BANK_CODE', help: 'Bank code of the account numbers', standard: '120001' },
    BANKS_SETTING,
  ],
  open: (tools) => {
    const { settings, notifier, wall } = tools
    const bankCode = settings.text('BANK_CODE')
    const password = settings.secret('NOTICE_PASSWORD')
    const banks = institutions(settings.text('BANKS'))
    const line = openLine(settings)
    const api = openMerchantApi(line, settings, wall)
    return connector({
      manifest: manifestOf(tools, {
        name: '9 Payment Service Bank',
        capabilities: ['issued-accounts', 'credits', 'returns'],
        limits: {},
        trial: { amount: 10_000, account: { bankCode } },
      }),
      operations: {
        ...accountOperations(api, bankCode, wall),
        ...refundOperations(api, settings.secret('PRIVATE_KEY'), wall),
      },
      handleCallback: async (call) => {
        if (call.method !== 'POST' || call.path !== 'notice') return { status: 404, body: {} }
        if (!isBasic(call, settings.text('NOTICE_USER'), password)) return reply(401, 'S1', 'Invalid Credential')
        const notice = readJson(call.body)
        const sessionId = textAt(notice, 'transaction.sessionid')
        const accountNumber = textAt(notice, 'customer.account.number')
        const amount = fromNaira(textAt(notice, 'order.amount') ?? '')
        if (amount === undefined || !isNamed(sessionId, accountNumber))
          return reply(400, '47', 'Invalid transaction request')
        const sender = {
          account: textAt(notice, 'customer.account.senderaccountnumber') ?? '',
          bank: textAt(notice, 'customer.account.senderbankcode') ?? '',
        }
        const signed = noticeHash(password, sender.account, sender.bank, accountNumber ?? '', toNairaText(amount))
        if (!equalSecrets(textAt(notice, 'hash')?.toUpperCase() ?? '', signed))
          return reply(400, '74', 'Invalid Message Signature')
        // The hash does not cover the session id, so anyone who saw one notification could report the same money again.
        const paid = await confirmPayment(api, sessionId ?? '', accountNumber ?? '', amount)
        if (paid === undefined) return reply(200, '99', 'The payment cannot be confirmed yet')
        const outcome = await notifyAndWait(
          notifier,
          'credits',
          creditOf({
            railReference: sessionId ?? '',
            bankCode,
            accountNumber: accountNumber ?? '',
            amount,
            payerName: textAt(paid, 'customer.account.sendername'),
            payerAccountNumber: sender.account,
            payerBankCode: banks.bankOf(sender.bank),
            narration: textAt(paid, 'order.description'),
            arrivedAt: textAt(paid, 'transaction.date') ?? textAt(notice, 'transaction.date'),
          }),
        )
        return outcome === undefined ? reply(200, '99', 'Try again') : reply(200, '00', 'Success')
      },
      close: line.close,
    })
  },
}

const reply = (status: number, code: string, message: string) => ({ status, body: { code, message } })

/** The expected hash of a notification. */
export const noticeHash = (password: Hidden<string>, ...parts: readonly string[]): string =>
  hash('sha512', password.reveal() + parts.join(''), 'hex').toUpperCase()
