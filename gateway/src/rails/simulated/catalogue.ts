import { readFileSync } from 'node:fs'
import { fromNaira, type Kobo } from '../../kernel/money.ts'
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

const lines = readFileSync(new URL('catalogue.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))

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

/** What the sandbox's billers sell. */
export const CATALOGUE: Catalogue = {
  categories: Object.entries(CATEGORY_NAMES).map(([code, name]) => ({ code, name })),
  billers: [...new Map(lines.map(([, code = '', name = '']) => [code, { code, name }])).values()],
  products: lines.map(product),
}
