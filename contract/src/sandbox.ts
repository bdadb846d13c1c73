import Type from 'typebox'
import { collectCash } from './cash-collections.ts'
import { enquireName } from './checkout.ts'
import { authorizeMandate } from './direct-debit.ts'
import { decideSandboxDispute, openSandboxDispute } from './disputes.ts'
import { EventId, EventRecord, Since } from './event-log.ts'
import { AccountNumber, Amount, BankCode, nullable, optional, Text, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { redeemPaycode } from './paycodes.ts'
import { NO_PERMISSION } from './permissions.ts'
import { eventLogRefusals, sandboxRefusals, settingRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import { settingsShown, settingsTaken } from './settings.ts'
import { fundWallet } from './wallets.ts'

export const payIntoAccount = route({
  method: 'POST',
  path: '/sandbox/transfers',
  summary: 'Pay into an account from the customer’s banking app',
  description: 'Sandbox only; needs no token. The payment is complete when the response arrives.',
  environment: 'sandbox',
  access: 'open',
  permission: NO_PERMISSION.sandbox,
  body: Type.Object({
    bankCode: BankCode,
    accountNumber: AccountNumber,
    amount: Amount,
    senderName: optional(Text),
    senderAccountNumber: optional(AccountNumber),
    senderBankCode: optional(BankCode),
    senderBvn: optional(Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits' })),
    narration: optional(Text),
  }),
  reply: Type.Object({
    sessionId: Type.String(),
    status: words(['ACCEPTED', 'REJECTED'], 'whether the bank accepted the transfer'),
    reason: nullable(Type.String({ examples: ['ACCOUNT_NOT_FOUND'] })),
  }),
})

export const INBOX_LIMIT_MAX = 100

export const readInbox = route({
  method: 'GET',
  path: '/sandbox/inbox',
  summary: 'List the sandbox’s emails, newest first',
  description:
    'All emails that the sandbox would send: authorization codes for transfers, mandate instructions and others.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  query: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 255, description: 'recipient' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 20 })),
  }),
  reply: Type.Array(
    Type.Object({
      id: Type.String(),
      to: Type.String(),
      subject: Type.String(),
      text: Type.String(),
      sentAt: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
    }),
  ),
})

const ClockReading = Type.Object({
  now: Type.String({ examples: ['2026-03-01T09:30:00.000Z'] }),
  today: Type.String({ description: 'the date in Lagos', examples: ['2026-03-01'] }),
  epochMilliseconds: Type.Integer(),
  offsetSeconds: Type.Integer({ description: 'seconds that business time is ahead of real time' }),
})

export const readClock = route({
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Get the sandbox’s clock',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  reply: ClockReading,
})

export const advanceClock = route({
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Move the sandbox’s clock forward',
  description: 'Runs everything that becomes due in between (expiry, retries and so on), in order, before it returns.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }),
  reply: ClockReading,
})

/** The settings of Monnify's sandbox; Kobo's additions are only in the merchant's own API. */
const SETTINGS_OF_SANDBOX = [
  'webhookUrl',
  'webhookUrls',
  'otpEnabled',
  'ipWhitelist',
  'feeBearer',
  'underpayment',
  'settlement',
  'settlementTime',
  'settlementDestination',
  'settlementAccount',
  'lowBalanceThreshold',
  'mail',
  'permissions',
  'inlineOrigins',
] as const
const Settings = settingsShown(SETTINGS_OF_SANDBOX)

export const getSettings = route({
  method: 'GET',
  path: '/sandbox/settings',
  summary: 'Get the merchant’s settings',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.read',
  reply: Settings,
})

export const changeSettings = route({
  method: 'PUT',
  path: '/sandbox/settings',
  summary: 'Update the merchant’s settings',
  description: 'Fields that you leave out stay unchanged; null resets to the default.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.manage',
  body: settingsTaken(SETTINGS_OF_SANDBOX),
  reply: Settings,
  refusals: [settingRefusals.notAllowed, settingRefusals.unknownBank],
})

export const listEvents = route({
  method: 'GET',
  path: '/sandbox/events',
  summary: 'List events with every attempt, newest first',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.read',
  query: Type.Object({
    ...PageQuery,
    eventType: Type.Optional(Type.String({ maxLength: 64 })),
    reference: Type.Optional(Type.String({ maxLength: 128, description: 'any reference of the event' })),
  }),
  reply: page(EventRecord),
})

export const resendEvent = route({
  method: 'POST',
  path: '/sandbox/events/:id/resend',
  summary: 'Resend an event',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.manage',
  params: Type.Object({ id: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent],
})

export const resendEvents = route({
  method: 'POST',
  path: '/sandbox/events/resend',
  summary: 'Resend all events since a given time',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.manage',
  body: Type.Object({ since: Since }),
  reply: Type.Object({ count: Type.Integer() }),
  refusals: [eventLogRefusals.tooMany],
})

/** The maximum number of events in one response, and of delivered events that a cursor remembers. */
export const LISTENED_MAX = 100

export const listenToEvents = route({
  method: 'GET',
  path: '/sandbox/events/listen',
  summary: 'Poll for new events, as a webhook endpoint would receive them',
  description:
    'For a local listener: it changes no settings, does not mark events as sent, and leaves your webhook URLs unchanged. Without `after` it starts now; then pass the `cursor` of the previous response.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  // The events contain unmasked customer data, because the listener checks their signature.
  scope: 'payer.read',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: `^[0-9a-z]{1,13}(\\.[0-9a-z]{1,13}){0,${LISTENED_MAX}}$`,
        'x-rule': 'a cursor from a previous response',
        description: '`cursor` of the previous response',
        examples: ['5yc1z7vx6q'],
      }),
    ),
  }),
  reply: Type.Object({
    cursor: Type.String({ examples: ['5yc1z7vx6q'] }),
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        eventType: Type.String(),
        reference: Type.String(),
        createdOn: Type.String(),
        body: Type.String({ description: 'exact request body' }),
        headers: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'signature headers as a webhook endpoint receives them, signed at the time of this response',
          examples: [{ 'webhook-id': 'evt_1001' }],
        }),
      }),
    ),
  }),
})

/** The maximum length of a problem, which may quote the shop's response. */
export const PROBLEM_LENGTH_MAX = 1_000

const CheckedReport = Type.Object({
  score: Type.Integer({ minimum: 0, maximum: 100, examples: [95] }),
  seed: Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [7] }),
  results: Type.Array(
    Type.Object({
      scenario: Type.String({ maxLength: 255, examples: ['the same webhook three times'] }),
      isPassed: Type.Boolean(),
      problem: nullable(
        Type.String({ maxLength: PROBLEM_LENGTH_MAX, examples: ['delivered 3 times instead of once'] }),
      ),
      guide: Type.String({
        pattern: '^/docs/guides/[a-z0-9#-]{1,100}$',
        'x-rule': 'the path of a guide, such as /docs/guides/webhooks',
        examples: ['/docs/guides/webhooks#write-a-webhook-endpoint'],
      }),
    }),
    { maxItems: 100 },
  ),
})

export const getReport = route({
  method: 'GET',
  path: '/sandbox/report',
  summary: 'Get the report of the last check of your integration',
  description: '`./kobo check-integration` checks your shop and stores its report here.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.read',
  reply: Type.Object({
    checkedAt: nullable(
      Type.String({ description: 'null before the first check', examples: ['2026-03-01T09:30:00.000Z'] }),
    ),
    report: nullable(CheckedReport),
  }),
})

export const saveReport = route({
  method: 'PUT',
  path: '/sandbox/report',
  summary: 'Store the report of a check of your integration',
  description: 'Replaces the previous report.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  scope: 'developer.manage',
  body: CheckedReport,
  reply: Type.Object({ checkedAt: Type.String({ examples: ['2026-03-01T09:30:00.000Z'] }) }),
})

export const sandbox = group({
  title: 'Sandbox',
  text: 'Simulate banks, customers and the passage of time. These paths exist only in the sandbox.',
  routes: {
    payIntoAccount,
    enquireName,
    fundWallet,
    authorizeMandate,
    redeemPaycode,
    collectCash,
    openSandboxDispute,
    decideSandboxDispute,
    readInbox,
    getSettings,
    changeSettings,
    listEvents,
    listenToEvents,
    resendEvent,
    resendEvents,
    readClock,
    advanceClock,
    getReport,
    saveReport,
  },
  refusals: sandboxRefusals,
})
