import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { fromNairaOrZero, type Kobo } from '../../kernel/money.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import { type Capability, OPERATIONS } from '../../rails/protocol/index.ts'

/** Operations that a table can route. Others go to the partner of an earlier order or the first that can do them. */
export const ROUTED_OPERATIONS = [
  'transfer/send',
  'transfer/name-enquiry',
  'card/charge',
  'debit/debit',
  'biller/vend',
] as const
export type RoutedOperation = (typeof ROUTED_OPERATIONS)[number]

export const isRouted = (operation: string): operation is RoutedOperation =>
  ROUTED_OPERATIONS.some((one) => one === operation)

export const capabilityOf = (operation: string): Capability | undefined => OPERATIONS[operation]?.capability

const RULES_MAX = 100
const PARTNERS_NAMED_MAX = 16
const BANKS_MAX = 500
const MERCHANTS_MAX = 1_000

const Code = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  'x-rule': '1 to 32 small letters, digits and hyphens',
})
const Use = Type.Array(Code, { minItems: 1, maxItems: PARTNERS_NAMED_MAX })
const Naira = Type.Number({ minimum: 0, maximum: 9_999_999_999_999 })
const Rule = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64 }),
    when: Type.Object(
      {
        destinationBank: Type.Optional(Type.Array(Type.String({ pattern: '^\\d{3,6}$' }), { maxItems: BANKS_MAX })),
        /** In naira: at least `amountFrom`, and less than `amountBelow`. */
        amountFrom: Type.Optional(Naira),
        amountBelow: Type.Optional(Naira),
        merchant: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: MERCHANTS_MAX })),
      },
      { additionalProperties: false },
    ),
    use: Type.Optional(Use),
    split: Type.Optional(
      Type.Array(
        Type.Object({ percent: Type.Integer({ minimum: 1, maximum: 100 }), use: Use }, { additionalProperties: false }),
        { minItems: 1, maxItems: PARTNERS_NAMED_MAX },
      ),
    ),
  },
  { additionalProperties: false },
)
type Rule = Static<typeof Rule>

const OperationRoutes = Type.Object(
  { rules: Type.Optional(Type.Array(Rule, { maxItems: RULES_MAX })), otherwise: Use },
  { additionalProperties: false },
)

/** A routing table as an operator writes it: a list of rules per operation. The first matching rule applies. */
export const RoutingTable = Type.Object(
  Object.fromEntries(ROUTED_OPERATIONS.map((operation) => [operation, Type.Optional(OperationRoutes)])),
  { additionalProperties: false },
)
export type RoutingTable = Readonly<Partial<Record<RoutedOperation, Static<typeof OperationRoutes>>>>

const findMalformed = compileCheck(RoutingTable, 'body')

/** Why a value is not a valid routing table; undefined if it is valid. */
export function whyInvalidTable(table: unknown): string | undefined {
  const malformed = findMalformed(table)
  if (malformed !== undefined) return malformed.message
  for (const [operation, { rules = [] }] of Object.entries(table as RoutingTable)) {
    if (operation === 'biller/vend' && rules.length > 0)
      return 'biller/vend cannot have rules: a bill is paid at the partner whose catalogue is shown'
    if (new Set(rules.map(({ name }) => name)).size < rules.length) return `rules of ${operation} have the same name`
    for (const { name, when, use, split } of rules) {
      const isAmount = (naira: number | undefined) => naira === undefined || fromNairaOrZero(naira) !== undefined
      if (!isAmount(when.amountFrom) || !isAmount(when.amountBelow))
        return `an amount of rule “${name}” has more than two decimals`
      if ((use === undefined) === (split === undefined)) return `rule “${name}” must have either use or split`
      const percent = (split ?? []).reduce((sum, part) => sum + part.percent, 0)
      if (split !== undefined && percent !== 100) return `the split of rule “${name}” is ${percent} percent, not 100`
    }
  }
  return undefined
}

/** Returns every partner that a table names. */
export const partnersIn = (table: RoutingTable): ReadonlySet<string> =>
  new Set(
    Object.values(table).flatMap(({ rules = [], otherwise }) => [
      ...otherwise,
      ...rules.flatMap(({ use = [], split = [] }) => [...use, ...split.flatMap((part) => part.use)]),
    ]),
  )

/** Returns every merchant code that a table names. */
export const merchantsIn = (table: RoutingTable): ReadonlySet<string> =>
  new Set(Object.values(table).flatMap(({ rules = [] }) => rules.flatMap(({ when }) => when.merchant ?? [])))

/** The facts about an operation that decide its route. */
export interface Routed {
  readonly operation: string
  readonly destinationBank: string | null
  readonly amount: Kobo | null
  readonly merchant: string | null
  /** A percentage split uses a hash of the reference, so the same reference always gets the same partner. */
  readonly reference: string
}

/** The candidate partners in order, and the rule that chose them. */
export interface RoutingResult {
  readonly use: readonly string[]
  /** The rule's name; `otherwise` if none matched. */
  readonly rule: string
  /** For a percentage split: the number from 0 to 99 that was derived from the reference. */
  readonly drawn?: number
  /** Why earlier rules did not match. */
  readonly passedOver: readonly string[]
}

/** Returns the candidates that a table chooses, and why; undefined if it does not cover the operation. */
export function partnersFor(table: RoutingTable, routed: Routed): RoutingResult | undefined {
  const routes = isRouted(routed.operation) ? table[routed.operation] : undefined
  if (routes === undefined) return undefined
  const passedOver: string[] = []
  for (const rule of routes.rules ?? []) {
    const why = whyNoMatch(rule, routed)
    if (why === undefined) return { ...applyRule(rule, routed.reference), passedOver }
    passedOver.push(`${rule.name}: ${why}`)
  }
  return { use: routes.otherwise, rule: 'otherwise', passedOver }
}

function applyRule({ name, use, split = [] }: Rule, reference: string): Omit<RoutingResult, 'passedOver'> {
  if (use !== undefined) return { use, rule: name }
  const drawn = draw(reference)
  let left = drawn
  for (const { percent, use: drawnUse } of split) {
    if (left < percent) return { use: drawnUse, rule: name, drawn }
    left -= percent
  }
  return { use: [], rule: name, drawn }
}

/** Derives a number from 0 to 99 from a reference. */
const draw = (reference: string): number => createHash('sha256').update(reference).digest().readUInt32BE(0) % 100

function whyNoMatch({ when }: Rule, { destinationBank, amount, merchant }: Routed): string | undefined {
  const { destinationBank: banks, merchant: merchants, amountFrom, amountBelow } = when
  if (banks !== undefined && !banks.includes(destinationBank ?? ''))
    return destinationBank === null ? 'it goes to no bank' : `it goes to bank ${destinationBank}`
  if (merchants !== undefined && !merchants.includes(merchant ?? '')) return 'it belongs to another merchant'
  if (amountFrom !== undefined && (amount === null || amount < (fromNairaOrZero(amountFrom) ?? 0n)))
    return `it is below ${amountFrom} naira`
  if (amountBelow !== undefined && (amount === null || amount >= (fromNairaOrZero(amountBelow) ?? 0n)))
    return `it is not below ${amountBelow} naira`
  return undefined
}
