import Type, { type Static } from 'typebox'
import { BankCode, CAPABILITIES, type Capability, ElevenDigits, KoboNumber, Text } from './fields.ts'

const Word = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  'x-rule': '1 to 32 small letters, digits and hyphens',
})
const Digits = Type.String({ pattern: '^\\d{1,19}$' })

/** What a trial needs that really sends: accounts, cards and customers at which no real money moves. */
const Trial = Type.Object({
  amount: KoboNumber,
  transfer: Type.Optional(
    Type.Object({
      bankCode: BankCode,
      accountNumber: Digits,
      refusedAccountNumber: Type.Optional(Digits),
      /** One whose bank says at first that it does not know. */
      unknownAccountNumber: Type.Optional(Digits),
      /** One that it does not reach: what is to go there is not sent. */
      unreachedBankCode: Type.Optional(BankCode),
    }),
  ),
  card: Type.Optional(
    Type.Object({ number: Digits, expiryMonth: Digits, expiryYear: Digits, cvv: Digits, pin: Digits }),
  ),
  debit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits, mandateCode: Text })),
  bill: Type.Optional(Type.Object({ productCode: Text, customerId: Text })),
  /** An account number of ours on which credits count as arrived at trial, whatever their names. */
  credit: Type.Optional(Type.Object({ bankCode: BankCode, accountNumber: Digits })),
  bvn: Type.Optional(ElevenDigits),
  /** A bank at which accounts may be opened that nobody needs. */
  account: Type.Optional(Type.Object({ bankCode: BankCode })),
})
export type Trial = Static<typeof Trial>

/** What an adapter says of itself. */
export const Manifest = Type.Object({
  protocol: Type.Literal(2),
  partner: Type.Object({ code: Word, name: Text }),
  /** What speaks, and in which version: for people. */
  software: Text,
  /** Whether no real money moves. */
  simulated: Type.Boolean(),
  capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 }),
  limits: Type.Object({
    /** The most and the least that may be sent at a time. */
    amountMin: Type.Optional(KoboNumber),
    amountMax: Type.Optional(KoboNumber),
  }),
  trial: Type.Optional(Trial),
})
export type Manifest = Static<typeof Manifest>

/** What the manifest is signed as. */
export const MANIFEST = 'manifest'

/** Whether a partner says that it can do something. Words that are not known yet mean nothing. */
export const can = ({ capabilities }: Manifest, capability: Capability): boolean => capabilities.includes(capability)

export const isCapability = (word: string): word is Capability => Object.hasOwn(CAPABILITIES, word)
