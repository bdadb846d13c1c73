import { readFileSync } from 'node:fs'
import { fromNaira, type Kobo } from '../../kernel/money.ts'
import { readRecords } from '../../platform/formats/csv.ts'
import type { BillProduct, Catalogue } from '../biller.ts'

const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  AIRTIME: 'Airtime',
  DATA_BUNDLE: 'Data Bundle',
  ELECTRICITY: 'Electricity',
  CABLE_TV: 'Cable TV',
  BETTING: 'Betting',
  EDUCATION: 'Education',
  TRANSPORTATION: 'Transportation',
}

const [, ...records] = readRecords(readFileSync(new URL('catalogue.csv', import.meta.url), 'utf8'))
const lines = records.map(({ cells }) => cells)

const amount = (naira: string | undefined): Kobo | null => (naira ? (fromNaira(naira) ?? null) : null)

function product(cells: readonly string[]): BillProduct {
  const [categoryCode = '', billerCode = '', , code = '', name = '', price, min, max, validation, points, cap] = cells
  const [volume, period] = cells.slice(11)
  return {
    code,
    name,
    categoryCode,
    billerCode,
    price: amount(price),
    minAmount: amount(min),
    maxAmount: amount(max),
    needsValidation: validation === 'yes',
    commissionBasisPoints: Number(points),
    commissionCap: amount(cap),
    metadata: {
      volume: volume ? Number(volume) : null,
      duration: period ? 1 : null,
      durationUnit: period || null,
      productType: { code: categoryCode, name: CATEGORY_NAMES[categoryCode] ?? categoryCode },
    },
  }
}

/** The products of the sandbox's billers. */
export const CATALOGUE: Catalogue = {
  categories: Object.entries(CATEGORY_NAMES).map(([code, name]) => ({ code, name })),
  billers: [...new Map(lines.map(([, code = '', name = '']) => [code, { code, name }])).values()],
  products: lines.map(product),
}
