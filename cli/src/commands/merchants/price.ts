import { parseArgs } from 'node:util'
import { PriceError, setPrice } from '@kobo/gateway/core/merchants/index.ts'
import {
  type Price,
  type PriceStep,
  SERVICES,
  type Service,
  selectStandardPrices,
} from '@kobo/gateway/core/pricing/index.ts'
import { proposePrice } from '@kobo/gateway/features/operator/index.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import { fromNairaOrZero, type Kobo, toNaira, ZERO } from '@kobo/gateway/kernel/money.ts'
import { type Command, findMerchant, print, UsageError, withCore } from '../../command.ts'
import { BY_BECAUSE, handledByTwoOperators, TWO_OPERATORS } from '../../operator.ts'

const WORDS = Object.keys(SERVICES) as readonly Service[]

export const priceList: Command = {
  usage: '[--merchant CODE]',
  summary: 'Lists current and scheduled prices, standard or for one merchant',
  details: `
Prints JSON. For each service: contract prices first, then the merchant's, then the standard price. The first one in effect
applies. Amounts are naira. If "steps" is null, the merchant's own price ends at that time.
`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' } } })
    return withCore(context, async ({ core }) => {
      const at = core.clock.now()
      const merchant = values.merchant === undefined ? undefined : await findMerchant(core, values.merchant)
      const prices = [...(merchant?.prices.own ?? []), ...(await selectStandardPrices(core.db, at))]
      const shown = prices.filter(({ steps, validFrom }) => steps !== null || validFrom > at)
      print(
        context,
        shown.toSorted(inOrder).map((price) => show(price, at)),
      )
      return 0
    })
  },
}

export const priceSet: Command = {
  usage:
    'SERVICE (--percent P --flat NAIRA --cap NAIRA | --step FIELDS … | --default) [--merchant CODE [--contract CODE]] [--from WHEN] [--by EMAIL --because TEXT]',
  summary: 'Sets the price of a service, standard or for one merchant, from now or a later time',
  details: `
Services: ${WORDS.join(', ')}.

A price is a percentage of the amount plus a flat fee, up to the cap. An omitted part is zero, or no cap.
For prices by amount, repeat --step with comma-separated fields; every step but the last needs up-to.
A contract's price overrides its merchant's, which overrides the standard price. --default removes the merchant's (or the contract's)
own price. Existing payments and transfers keep their price. WHEN is Lagos time unless it has a time zone.

  ./kobo price set collection --percent 1.4 --cap 2000
  ./kobo price set transfer --step up-to=9999.99,flat=10 --step up-to=50000,flat=20 --step flat=40
  ./kobo price set refund --flat 0 --merchant ABCDEFGHIJKL
  ./kobo price set collection --percent 1 --flat 100 --cap 1500 --merchant ABCDEFGHIJKL --from 2027-01-01
  ./kobo price set refund --default --merchant ABCDEFGHIJKL
${TWO_OPERATORS}`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        percent: text,
        flat: text,
        cap: text,
        step: { type: 'string', multiple: true },
        default: { type: 'boolean' },
        merchant: text,
        contract: text,
        from: text,
        ...BY_BECAUSE,
      },
    })
    const service = readService(positionals)
    const steps = readSteps(values)
    const validFrom = readMoment(values.from)
    if (values.merchant === undefined && values.contract !== undefined)
      throw new UsageError('--contract needs --merchant.')
    if (values.merchant === undefined && steps === null) throw new UsageError('--default needs --merchant.')
    return withCore(context, async (gateway) => {
      const { core } = gateway
      const merchant = values.merchant === undefined ? undefined : await findMerchant(core, values.merchant)
      if (values.contract !== undefined && merchant?.contracts.has(values.contract) === false)
        throw new UsageError(`--contract: the merchant has no contract ${values.contract}.`)
      const contractCode = values.contract ?? null
      const isForTwo = await handledByTwoOperators(context, gateway, values, () =>
        proposePrice(gateway, merchant, {
          ...{ service, contractCode, from: validFrom?.toISOString() ?? null },
          steps: steps?.map(requestedStep) ?? null,
        }),
      )
      if (isForTwo) return 0
      const price = await asUsageError(
        setPrice(core.directory, {
          merchantId: merchant?.id ?? null,
          contractCode,
          service,
          steps,
          validFrom,
          madeBy: 'command line',
        }),
      )
      print(context, show(price, core.clock.now()))
      return 0
    })
  },
}

function readService(words: readonly string[]): Service {
  const [word, ...more] = words
  const service = WORDS.find((known) => known === word)
  if (service === undefined || more.length > 0)
    throw new UsageError(
      `SERVICE must be one of ${WORDS.join(', ')}${word === undefined ? '' : `, not ${words.join(' ')}`}.`,
    )
  return service
}

interface Fields {
  readonly 'up-to'?: string
  readonly percent?: string
  readonly flat?: string
  readonly cap?: string
}

/** Converts a price step to the form of a change request. */
const requestedStep = ({ upTo, basisPoints, flat, cap }: PriceStep) => ({
  upTo: upTo === null ? null : toNaira(upTo),
  percent: String(basisPoints / 100),
  flat: toNaira(flat),
  cap: cap === null ? null : toNaira(cap),
})

const FIELDS = ['up-to', 'percent', 'flat', 'cap'] as const

/** Reads the steps of a price; null for --default. */
export function readSteps(
  values: Fields & { readonly step?: string[]; readonly default?: boolean },
): PriceStep[] | null {
  const { step: written = [], default: ends = false, percent, flat, cap } = values
  const isOneStep = percent !== undefined || flat !== undefined || cap !== undefined
  if (Number(written.length > 0) + Number(isOneStep) + Number(ends) !== 1)
    throw new UsageError('Specify --percent, --flat and --cap, or --step, or --default.')
  if (ends) return null
  return isOneStep ? [readStep(values, '--')] : written.map((one) => readStep(readFields(one), '--step '))
}

function readFields(text: string): Fields {
  const pairs = text.split(',').map((pair) => pair.trim().split('='))
  const names = pairs.map(([name]) => name)
  const unknown = names.find((name) => !FIELDS.some((field) => field === name))
  if (unknown !== undefined || new Set(names).size < names.length || pairs.some(({ length }) => length !== 2))
    throw new UsageError(
      `--step takes ${FIELDS.map((field) => `${field}=…`).join(',')}, or some of these, not ${text}.`,
    )
  return Object.fromEntries(pairs)
}

const readStep = (fields: Fields, before: string): PriceStep => ({
  upTo: readNaira(fields['up-to'], `${before}up-to`) ?? null,
  basisPoints: readPercent(fields.percent, `${before}percent`),
  flat: readNaira(fields.flat, `${before}flat`) ?? ZERO,
  cap: readNaira(fields.cap, `${before}cap`) ?? null,
})

const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/
const BASIS_POINTS_MAX = 10_000

/** Reads a percentage as basis points from its digits, without floating point. */
export function readPercent(text: string | undefined, field: string): number {
  if (text === undefined) return 0
  const [, whole = '', fraction = ''] = PERCENT.exec(text) ?? []
  const basisPoints = Number(whole + fraction.padEnd(2, '0'))
  if (whole === '' || basisPoints > BASIS_POINTS_MAX)
    throw new UsageError(`${field} must be 0 to 100, with at most two decimals.`)
  return basisPoints
}

function readNaira(text: string | undefined, field: string): Kobo | undefined {
  if (text === undefined) return undefined
  const amount = fromNairaOrZero(text)
  if (amount === undefined) throw new UsageError(`${field} must be naira, such as 50 or 9999.99.`)
  return amount
}

export function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = fromMoment(text)
  if (moment === undefined) throw new UsageError('--from must be a time, such as 2027-01-01 or 2027-01-01T22:00.')
  return moment
}

const asUsageError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof PriceError ? new UsageError(`${error.message}.`) : error
  })

/** Sorts prices by service, then contract, merchant and standard prices, then by time. */
const inOrder = (a: Price, b: Price): number =>
  WORDS.indexOf(a.service) - WORDS.indexOf(b.service) ||
  width(a) - width(b) ||
  Number(a.validFrom) - Number(b.validFrom)

const width = ({ merchantId, contractCode }: Price): number => (contractCode !== null ? 0 : merchantId !== null ? 1 : 2)

const show = (price: Price, at: Date) => ({
  service: price.service,
  of: ['contract', 'merchant', 'everybody'][width(price)],
  ...(price.contractCode !== null && { contract: price.contractCode }),
  inEffect: price.validFrom <= at,
  validFrom: price.validFrom,
  steps: price.steps?.map(showStep) ?? null,
  madeBy: price.madeBy,
  madeAt: price.madeAt,
})

export const showStep = ({ upTo, basisPoints, flat, cap }: PriceStep) => ({
  upTo: upTo === null ? null : toNaira(upTo),
  percent: basisPoints / 100,
  flat: toNaira(flat),
  cap: cap === null ? null : toNaira(cap),
})
