import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'

/** A closed list of values. */
export const words = <const W extends readonly string[]>(list: W, description?: string): TUnsafe<W[number]> =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...list], ...(description === undefined ? {} : { description }) })

/** The schema, or null. It is written as a list of types if possible, because that serialises faster than a union. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, ...rest } = schema as { type?: string | string[] }
  return typeof type === 'string' && type !== 'object' && type !== 'array' && !('enum' in schema)
    ? Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'] })
    : Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
}

/** Optional in a request; null means the same as leaving it out. */
export const optional = <S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> =>
  Type.Optional(nullable(schema))

/**
 * One item or an array of them. Only the branch that matches the input's type is checked, so that errors name the
 * right field.
 */
export const oneOrMany = <S extends TSchema>(item: S, maxItems: number): TUnsafe<Static<S> | Static<S>[]> =>
  Type.Unsafe<Static<S> | Static<S>[]>({
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's word
    then: Type.Array(item, { minItems: 1, maxItems }),
    else: item,
  })

/** Naira in a request: a JSON number or decimal string above zero, with at most 13 digits and 2 decimals. */
export const Amount = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  'x-amount': true,
  description: 'Naira, as a number or decimal string with at most 2 decimals',
  examples: [9000],
})

/** Naira in a request, as in `Amount`, but zero is allowed. */
export const AmountOrZero = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  'x-amount-or-zero': true,
  description: 'Naira, as a number or decimal string with at most 2 decimals; may be zero',
  examples: [9000],
})

/** Naira in a response. */
export const Naira = Type.Number({ description: 'Naira', examples: [9000] })
/** Naira in a response, for fields that are decimal strings in Monnify's API. */
export const NairaText = Type.String({ description: 'Naira, as a decimal string', examples: ['9000.00'] })

export const REFERENCE_LENGTH_MAX = 128
/** A reference: 1 to 128 printable characters. */
export const Reference = Type.String({
  pattern: `^\\P{C}{1,${REFERENCE_LENGTH_MAX}}$`,
  'x-rule': '1 to 128 printable characters',
})
/** A name, title or description: stored as sent, escaped on display. */
export const Text = Type.String({ maxLength: 255 })
export const IpRange = Type.String({ maxLength: 64, 'x-ip-range': true, description: 'IP address or CIDR range' })
export const Email = Type.String({
  pattern: '^[^@\\s]+@[^@\\s]+$',
  maxLength: 255,
  'x-rule': 'an email address',
  examples: ['ada@example.com'],
})
export const Url = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-url': true,
  'x-rule': 'an http or https URL of at most 2048 characters',
})
/**
 * A URL to redirect a customer's browser to. Credentials in it would leak into histories and logs, or disguise the
 * host.
 */
export const RedirectUrl = Type.Unsafe<string>({ ...Url, 'x-no-credentials': true })
export const BankCode = Type.String({
  pattern: '^\\d{3,6}$',
  'x-rule': 'a bank code of 3 to 6 digits',
  examples: ['035'],
})
export const AccountNumber = Type.String({
  pattern: '^\\d{10}$',
  'x-rule': 'a 10-digit account number',
  examples: ['3000000003'],
})
/** Bank Verification Number: a person's ID at all banks. */
export const Bvn = Type.String({ pattern: '^\\d{11}$', 'x-rule': 'an 11-digit BVN', examples: ['22212345678'] })
/** National Identification Number. */
export const Nin = Type.String({ pattern: '^\\d{11}$', 'x-rule': 'an 11-digit NIN', examples: ['12345678901'] })
/** A boolean in a request: JSON or its text. */
export const Flag = Type.Unsafe<boolean | 'true' | 'false'>({
  type: ['boolean', 'string'],
  pattern: '^(true|false)$',
  'x-rule': 'true or false',
  examples: [true],
})
export const CurrencyCode = Type.String({ minLength: 1, maxLength: 10, examples: ['NGN'] })
/** Accepts any text, because an unknown code gets 422, not 400. */
export const ContractCode = Type.String({
  minLength: 1,
  maxLength: REFERENCE_LENGTH_MAX,
  description: '12 digits',
  examples: ['102030405060'],
})

/** A free-form map in a response. */
export const AnyMap = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const META_DATA_KEYS_MAX = 50
export const META_DATA_BYTES_MAX = 8 * 1024
/** A free-form map that is returned unchanged: small, and without card numbers. */
export const MetaData = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: META_DATA_KEYS_MAX,
  'x-meta-data': true,
  description: 'At most 50 keys and 8 kB of JSON; card numbers are not allowed',
})

/** A percentage in a request: a JSON number or decimal string from 0 to 100, with at most 4 decimals. */
export const Percentage = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  'x-percentage': true,
  description: 'Percentage from 0 to 100 with at most 4 decimals',
  examples: [20.5],
})

/** One sub account's share of a payment. */
export const IncomeSplitItem = Type.Object({
  subAccountCode: Reference,
  feeBearer: optional(
    Type.Boolean({ description: 'whether the sub account bears the fee; all of it unless feePercentage is set' }),
  ),
  feePercentage: optional(Percentage),
  splitPercentage: optional(Percentage),
  splitAmount: optional(
    Type.Unsafe<number | string>({
      type: ['number', 'string'],
      'x-amount-or-zero': true,
      description: 'Naira; 0 means not set',
    }),
  ),
})
export const IncomeSplitConfig = Type.Array(IncomeSplitItem, { maxItems: 100 })

/**
 * The payment methods that a customer can choose from. The gateway stores how the money arrived as `ReceivedBy`: a USSD
 * payment arrives as a transfer.
 */
export const PAYMENT_METHODS = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'DIRECT_DEBIT'] as const
export const PaymentMethod = words(PAYMENT_METHODS)
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
/** The payment methods that a merchant requests. Methods that Kobo does not know are ignored. */
export const PaymentMethods = Type.Array(PaymentMethod, { maxItems: 10, 'x-ignores-unknown': true })

/** A point in time: Unix milliseconds, or any date that JavaScript can parse. */
export const Moment = Type.String({ maxLength: 64, 'x-moment': true, description: 'Unix milliseconds or a date' })

/** A date and time: `2026-03-01 10:30:00`, or with a T. Lagos time unless a time zone is given. */
export const DateTime = Type.String({ maxLength: 64, 'x-date-time': true, examples: ['2026-03-01 10:30:00'] })

export const MailLanguage = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 3,
    description: 'Language of the email: en, pcm, ha, yo or ig; English for any other value',
    examples: ['ha'],
  }),
)
