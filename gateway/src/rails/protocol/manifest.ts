import Type, { type Static } from 'typebox'
import { BankCode, CAPABILITIES, type Capability, ElevenDigits, KoboNumber, Text } from './fields.ts'

const Word = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  'x-rule': '1 to 32 small letters, digits and hyphens',
})
const Digits = Type.String({ pattern: '^\\d{1,19}$' })

/** The accounts, cards and customers for a conformance test that sends real requests. */
const Trial = Type.Object({
  amount: KoboNumber,
  transfer: Type.Optional(
    Type.Object({
      bankCode: BankCode,
      accountNumber: Digits,
      refusedAccountNumber: Type.Optional(Digits),
      /** An account to which a transfer has an unknown outcome at first. */
      unknownAccountNumber: Type.Optional(Digits),
      /** A bank that the partner does not reach, so nothing is sent there. */
      unreachedBankCode: Type.Optional(BankCode),
    }),
  ),
  card: Type.Optional(
    Type.Object({ number: Digits, expiryMonth: Digits, expiryYear: Digits, cvv: Digits, pin: Digits }),
  ),
  debit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits, mandateCode: Text })),
  bill: Type.Optional(Type.Object({ productCode: Text, customerId: Text })),
  /** One of our account numbers, to test returns. The partner treats any credit to it as received. */
  credit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits })),
  bvn: Type.Optional(ElevenDigits),
  /** A bank at which the test may open accounts. */
  account: Type.Optional(Type.Object({ bankCode: BankCode })),
})
export type Trial = Static<typeof Trial>

export const Manifest = Type.Object({
  protocol: Type.Literal(2),
  partner: Type.Object({ code: Word, name: Text }),
  /** The adapter's software and version, shown to people. */
  software: Text,
  /** Whether payments are only simulated, so that no real money moves. */
  simulated: Type.Boolean(),
  capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 }),
  limits: Type.Object({
    /** The smallest and the largest amount of one order. */
    amountMin: Type.Optional(KoboNumber),
    amountMax: Type.Optional(KoboNumber),
  }),
  trial: Type.Optional(Trial),
})
export type Manifest = Static<typeof Manifest>

export const MANIFEST = 'manifest'

/** Whether a partner has a capability. Unknown names are ignored. */
export const can = ({ capabilities }: Manifest, capability: Capability): boolean => capabilities.includes(capability)

export const isCapability = (word: string): word is Capability => Object.hasOwn(CAPABILITIES, word)
