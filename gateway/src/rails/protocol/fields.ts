import Type, { type TSchema } from 'typebox'

/** An amount as it travels: whole kobo. Fifteen digits are exact as a JSON number. */
export const KoboNumber = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })

const TEXT_LENGTH_MAX = 1_000
export const Text = Type.String({ maxLength: TEXT_LENGTH_MAX })
/** Ours, and used once. */
export const Reference = Type.String({ pattern: '^\\P{C}{1,128}$', 'x-rule': '1 to 128 printable characters' })
export const BankCode = Type.String({ pattern: '^\\d{3,6}$', 'x-rule': 'a bank code of 3 to 6 digits' })
export const AccountNumber = Type.String({ pattern: '^\\d{10}$', 'x-rule': 'an account number of 10 digits' })
export const ElevenDigits = Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits' })
/** What a bank calls a movement of money. */
export const SessionId = Type.String({ minLength: 1, maxLength: 64 })

/** A moment as ISO 8601. */
export const Moment = Type.String({ 'x-moment': true })

/**
 * What an order is known by beside its reference, the same each time it is spoken of: partners whose ids are digits get
 * theirs made of it. Gateways from before leave it out.
 */
export const Placed = {
  sequence: Type.Optional(
    Type.String({ pattern: '^\\d{1,19}$', description: 'no other order has it, and later ones have larger ones' }),
  ),
  placedAt: Type.Optional(Moment),
}

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** An answer of one kind, with what it must tell. */
export const answer = <const Kind extends string, Told extends Record<string, TSchema>>(kind: Kind, told: Told) =>
  Type.Object({ kind: Type.Literal(kind), ...told })

export const UNKNOWN = answer('unknown', {})
export const UNAVAILABLE = answer('unavailable', {})
export const NOT_FOUND = answer('not found', {})
/** Nothing has left, nor ever will under this reference: another partner may be asked. */
export const NOT_SENT = answer('not sent', { reason: Text })

/** What an adapter can be asked for. */
export interface Operation<Answers extends TSchema = TSchema, Asks extends TSchema = TSchema> {
  /** The word of the manifest without which it is not asked for. */
  readonly capability: Capability
  readonly summary: string
  readonly asks: Asks
  readonly answers: Answers
  /** Which operation asks what became of it; set where it may move money. */
  readonly foundBy?: string
}

export const operation = <Answers extends TSchema, Asks extends TSchema>(
  declared: Operation<Answers, Asks>,
): Operation<Answers, Asks> => declared

export const ByReference = Type.Object({ reference: Reference, ...Placed })

/** What a partner may be able to do, by the word in its manifest. */
export const CAPABILITIES = {
  transfers: 'sends money to bank accounts',
  'name-enquiry': 'tells whose a bank account is',
  cards: 'charges cards',
  'card-refunds': 'sends money back to cards',
  debits: 'debits bank accounts under a mandate',
  billers: 'sells what billers offer',
  identity: 'asks the registers of people',
  credits: 'tells of money that arrived',
  outcomes: 'tells that something has become of what was sent',
  disputes: 'tells that a payment is wanted back, and how that ends',
  'prefix-accounts': 'has assigned a prefix under which account numbers are made',
  'issued-accounts': 'issues account numbers itself',
  returns: 'sends credits back to where they came from',
} as const
export type Capability = keyof typeof CAPABILITIES
