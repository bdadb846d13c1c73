import Type, { type Static } from 'typebox'
import { BankCode, CAPABILITIES, type Capability, ElevenDigits, KoboNumber, Text } from './fields.ts'

const Word = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  'x-rule': '1 to 32 small letters, digits and hyphens',
})
const Digits = Type.String({ pattern: '^\\d{1,19}$' })

/** The needs of a conformance test that really sends: test accounts, cards and customers. */
const Trial = Type.Object({
  amount: KoboNumber,
  transfer: Type.Optional(
    Type.Object({
      bankCode: BankCode,
      accountNumber: Digits,
      refusedAccountNumber: Type.Optional(Digits),
      /** An account whose outcome is unknown at first. */
      unknownAccountNumber: Type.Optional(Digits),
      /** A bank it does not reach: nothing is sent there. */
      unreachedBankCode: Type.Optional(BankCode),
    }),
  ),
  card: Type.Optional(
    Type.Object({ number: Digits, expiryMonth: Digits, expiryYear: Digits, cvv: Digits, pin: Digits }),
  ),
  debit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits, mandateCode: Text })),
  bill: Type.Optional(Type.Object({ productCode: Text, customerId: Text })),
  /** Our account number on which test credits count as arrived, whatever their reference. */
  credit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits })),
  bvn: Type.Optional(ElevenDigits),
  /** A bank where unneeded accounts may be opened. */
  account: Type.Optional(Type.Object({ bankCode: BankCode })),
})
export type Trial = Static<typeof Trial>

/** An adapter's manifest. */
export const Manifest = Type.Object({
  protocol: Type.Literal(2),
  partner: Type.Object({ code: Word, name: Text }),
  /** Its software and version, for people. */
  software: Text,
  /** Whether no real money moves. */
  simulated: Type.Boolean(),
  capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 }),
  limits: Type.Object({
    /** The limits per send. */
    amountMin: Type.Optional(KoboNumber),
    amountMax: Type.Optional(KoboNumber),
  }),
  trial: Type.Optional(Trial),
})
export type Manifest = Static<typeof Manifest>

/** The signed name of the manifest. */
export const MANIFEST = 'manifest'

/** Whether a partner has a capability. Unknown names are ignored. */
export const can = ({ capabilities }: Manifest, capability: Capability): boolean => capabilities.includes(capability)

export const isCapability = (word: string): word is Capability => Object.hasOwn(CAPABILITIES, word)
