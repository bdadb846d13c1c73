import { parseArgs } from 'node:util'
import { PriceError, setPrice } from '@kobo/gateway/core/merchants/index.ts'
import {
  type Price,
  type PriceStep,
  SERVICES,
  type Service,
  selectStandardPrices,
} from '@kobo/gateway/core/money/pricing/index.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import { fromNairaOrZero, type Kobo, toNaira, ZERO } from '@kobo/gateway/kernel/money.ts'
import { type Command, findMerchant, print, UsageError, withCore } from '../command.ts'

const WORDS = Object.keys(SERVICES) as readonly Service[]

export const priceList: Command = {
  usage: '[--merchant CODE]',
  summary: 'Lists what we charge, now and from later times on: everybody, or one merchant',
  details: `
Prints JSON, for each service the prices of the merchant's contracts, then the merchant's, then everybody's: of those in
effect the first one counts. Amounts are naira. Where "steps" is null, a price of its own ends at that time.
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' } } })
    return withCore(around, async ({ core }) => {
      const at = core.clock.now()
      const merchant = values.merchant === undefined ? undefined : await findMerchant(core, values.merchant)
      const prices = [...(merchant?.prices.own ?? []), ...(await selectStandardPrices(core.db, at))]
      const telling = prices.filter(({ steps, validFrom }) => steps !== null || validFrom > at)
      print(
        around,
        telling.toSorted(inOrder).map((price) => show(price, at)),
      )
      return 0
    })
  },
}

export const priceSet: Command = {
  usage:
    'SERVICE (--percent P --flat NAIRA --cap NAIRA | --step FIELDS … | --default) [--merchant CODE [--contract CODE]] [--from WHEN]',
  summary: 'Sets what we charge for something, for everybody or for one merchant, from now or a later time on',
  details: `
Services: ${WORDS.join(', ')}.

A price is a percentage of the amount and a flat part, together at most the cap; what is left out is nothing, or no cap.
Where it depends on the amount, each --step has its fields with commas between, up-to among them in all but the last.
A contract's price counts before its merchant's, and that before everybody's; --default ends a merchant's (a contract's)
own. Payments and transfers that exist keep what was agreed on. WHEN is in Lagos unless it names a zone.

  kobo price set collection --percent 1.4 --cap 2000
  kobo price set transfer --step up-to=9999.99,flat=10 --step up-to=50000,flat=20 --step flat=40
  kobo price set refund --flat 0 --merchant ABCDEFGHIJKL
  kobo price set collection --percent 1 --flat 100 --cap 1500 --merchant ABCDEFGHIJKL --from 2027-01-01
  kobo price set refund --default --merchant ABCDEFGHIJKL
`,
  run: async (args, around) => {
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
      },
    })
    const service = readService(positionals)
    const steps = readSteps(values)
    const validFrom = readMoment(values.from)
    if (values.merchant === undefined && values.contract !== undefined)
      throw new UsageError('--contract needs --merchant.')
    if (values.merchant === undefined && steps === null) throw new UsageError('--default needs --merchant.')
    return withCore(around, async ({ core }) => {
      const merchant = values.merchant === undefined ? undefined : await findMerchant(core, values.merchant)
      if (values.contract !== undefined && merchant?.contracts.has(values.contract) === false)
        throw new UsageError(`--contract: the merchant has no contract ${values.contract}.`)
      const price = await told(
        setPrice(core.directory, {
          merchantId: merchant?.id ?? null,
          contractCode: values.contract ?? null,
          service,
          steps,
          validFrom,
          madeBy: 'command line',
        }),
      )
      print(around, show(price, core.clock.now()))
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

const FIELDS = ['up-to', 'percent', 'flat', 'cap'] as const

/** The steps of the price; null where it is to end. */
export function readSteps(
  values: Fields & { readonly step?: string[]; readonly default?: boolean },
): PriceStep[] | null {
  const { step: written = [], default: ends = false, percent, flat, cap } = values
  const isOneStep = percent !== undefined || flat !== undefined || cap !== undefined
  if (Number(written.length > 0) + Number(isOneStep) + Number(ends) !== 1)
    throw new UsageError('Either --percent, --flat and --cap, or --step, or --default is required.')
  if (ends) return null
  return isOneStep ? [readStep(values, '--')] : written.map((one) => readStep(readFields(one), '--step '))
}

function readFields(text: string): Fields {
  const pairs = text.split(',').map((pair) => pair.trim().split('='))
  const names = pairs.map(([name]) => name)
  const unknown = names.find((name) => !FIELDS.some((field) => field === name))
  if (unknown !== undefined || new Set(names).size < names.length || pairs.some(({ length }) => length !== 2))
    throw new UsageError(
      `--step must be ${FIELDS.map((field) => `${field}=…`).join(',')} or some of these, not ${text}.`,
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

/** A percentage as basis points: its digits are read, never multiplied. */
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
  if (amount === undefined) throw new UsageError(`${field} must be naira, as 50 or 9999.99.`)
  return amount
}

export function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = fromMoment(text)
  if (moment === undefined) throw new UsageError('--from must be a time, as 2027-01-01 or 2027-01-01T22:00.')
  return moment
}

/** What keeps a price from being set is the operator's to mend. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof PriceError ? new UsageError(`${error.message}.`) : error
  })

/** By service, the narrower circle first, the earlier first. */
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
