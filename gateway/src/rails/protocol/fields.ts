import Type, { type TSchema } from 'typebox'

/** An amount on the wire: whole kobo. Fifteen digits are exact in JSON. */
export const KoboNumber = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })

const TEXT_LENGTH_MAX = 1_000
export const Text = Type.String({ maxLength: TEXT_LENGTH_MAX })
/** Our reference, used once. */
export const Reference = Type.String({ pattern: '^\\P{C}{1,128}$', 'x-rule': '1 to 128 printable characters' })
export const BankCode = Type.String({ pattern: '^\\d{3,6}$', 'x-rule': 'a bank code of 3 to 6 digits' })
export const AccountNumber = Type.String({ pattern: '^\\d{10}$', 'x-rule': 'a 10-digit account number' })
export const ElevenDigits = Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits' })
/** A bank's reference of a money movement. */
export const SessionId = Type.String({ minLength: 1, maxLength: 64 })

/** A time in ISO 8601. */
export const Moment = Type.String({ 'x-moment': true })

/**
 * An order's id and time, the same in every request about the order. A partner that needs numeric ids derives them from
 * these fields. Older gateways do not send them.
 */
export const Placed = {
  sequence: Type.Optional(
    Type.String({ pattern: '^\\d{1,19}$', description: 'unique to the order; later orders have larger numbers' }),
  ),
  placedAt: Type.Optional(Moment),
}

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Creates the schema of a response of one kind with its fields. */
export const response = <const Kind extends string, Fields extends Record<string, TSchema>>(
  kind: Kind,
  fields: Fields,
) => Type.Object({ kind: Type.Literal(kind), ...fields })

export const UNKNOWN = response('unknown', {})
export const UNAVAILABLE = response('unavailable', {})
export const NOT_FOUND = response('not found', {})
/** Nothing was sent, and nothing will ever be sent under this reference, so another partner may be used. */
export const NOT_SENT = response('not sent', { reason: Text })

export interface Operation<Response extends TSchema = TSchema, Request extends TSchema = TSchema> {
  /** The required capability in the manifest. */
  readonly capability: Capability
  readonly summary: string
  readonly request: Request
  readonly response: Response
  /** The operation that queries the outcome of this one; set if this one may move money. */
  readonly foundBy?: string
}

export const operation = <Response extends TSchema, Request extends TSchema>(
  declared: Operation<Response, Request>,
): Operation<Response, Request> => declared

export const ByReference = Type.Object({ reference: Reference, ...Placed })

/** The capabilities of a partner, by their name in the manifest. */
export const CAPABILITIES = {
  transfers: 'sends money to bank accounts',
  'name-enquiry': 'looks up the name on a bank account',
  cards: 'charges cards',
  'card-refunds': 'refunds cards',
  debits: 'debits bank accounts under a mandate',
  billers: 'sells the products of billers',
  identity: 'looks up BVNs and NINs',
  credits: 'notifies Kobo of credits',
  outcomes: 'notifies Kobo of order outcomes',
  disputes: 'notifies Kobo of disputes and their outcomes',
  'prefix-accounts': 'has assigned a prefix for account numbers',
  'issued-accounts': 'issues account numbers itself',
  returns: 'returns credits to the sending account',
} as const
export type Capability = keyof typeof CAPABILITIES
