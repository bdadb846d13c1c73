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
  summary: "The customer's banking app: pay into an account",
  description: 'Open to anyone in the sandbox. The effect is visible when the answer arrives.',
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
    status: words(['ACCEPTED', 'REJECTED']),
    reason: nullable(Type.String({ examples: ['ACCOUNT_NOT_FOUND'] })),
  }),
})

export const INBOX_LIMIT_MAX = 100

export const readInbox = route({
  method: 'GET',
  path: '/sandbox/inbox',
  summary: 'Mails that the sandbox kept, newest first',
  description: 'Codes that authorise transfers, instructions for mandates, and whatever else goes out by mail.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  query: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 255, description: 'a recipient' })),
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
  epochMilliseconds: Type.Integer(),
  offsetSeconds: Type.Integer({ description: 'how far business time is ahead of real time' }),
})

export const readClock = route({
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Business time of this sandbox',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  reply: ClockReading,
})

export const advanceClock = route({
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Let time pass',
  description: 'Runs all that falls due on the way (expiry, retries, …), in order, before it answers.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }),
  reply: ClockReading,
})

/** Those of the interface; what we have added since is told by the merchant's own API. */
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
  summary: "The merchant's settings",
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.read',
  reply: Settings,
})

export const changeSettings = route({
  method: 'PUT',
  path: '/sandbox/settings',
  summary: "Change the merchant's settings",
  description: 'Merges: what is missing stays, null clears (back to the default).',
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
  summary: 'Event log with every attempt, newest first',
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
  summary: 'Send an event again',
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
  summary: 'Send all events since a time again',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'developer.manage',
  body: Type.Object({ since: Since }),
  reply: Type.Object({ count: Type.Integer() }),
  refusals: [eventLogRefusals.tooMany],
})

/** How many events one look tells of, and how many that were told a cursor remembers. */
export const LISTENED_MAX = 100

export const listenToEvents = route({
  method: 'GET',
  path: '/sandbox/events/listen',
  summary: 'Events that have come since the last look, as a receiver would get them',
  description:
    'For a listener beside the receivers: nothing is set, nothing is marked as sent, and your addresses stay as they are. Without `after` it starts now; then ask again with the `cursor` of the answer before.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: `^[0-9a-z]{1,13}(\\.[0-9a-z]{1,13}){0,${LISTENED_MAX}}$`,
        'x-rule': 'the cursor of an answer',
        description: 'the `cursor` of the answer before',
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
        body: Type.String({ description: 'the text as it is sent' }),
        headers: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'the signatures, as a receiver gets them, made now',
          examples: [{ 'webhook-id': 'evt_1001' }],
        }),
      }),
    ),
  }),
})

export const sandbox = group({
  title: 'Sandbox',
  text: 'Make happen now what otherwise takes a bank, a customer or a week. These paths exist in the sandbox only.',
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
  },
  refusals: sandboxRefusals,
})
