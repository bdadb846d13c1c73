import type { Random } from '../random.ts'

const FIRST_NAMES =
  'Ada Adaeze Aisha Amina Ayodele Babajide Bola Chidi Chinedu Chioma Damilola Ebere Efe Emeka Fatima Folake Funmi Habiba Hauwa Ibrahim Ifeoma Ikenna Jide Kelechi Kemi Khadija Lami Musa Ngozi Nkechi Nneka Obinna Olu Osagie Sade Segun Sani Tunde Uche Yetunde Yusuf Zainab'.split(
    ' ',
  )
const LAST_NAMES =
  'Abubakar Adebayo Adeleke Adeyemi Akande Akpan Balogun Bello Chukwu Danjuma Edet Eze Garba Ibe Igwe Johnson Lawal Mohammed Nnamdi Nwosu Obi Ogunleye Okafor Okeke Okonkwo Oladipo Olaniyan Onyeka Osei Salami Shehu Suleiman Umar Usman Uzor Williams Yakubu'.split(
    ' ',
  )

/** A product of the simulated shop with its lowest and highest price in naira. */
type Product = readonly [description: string, least: number, most: number]
const PRODUCTS: readonly [Product, ...Product[]] = [
  ['Data bundle', 500, 5_000],
  ['Groceries', 2_500, 35_000],
  ['Lunch', 1_500, 6_500],
  ['Phone case', 3_000, 12_000],
  ['Shoes', 9_000, 45_000],
  ['Ankara fabric, six yards', 8_000, 28_000],
  ['Generator service', 12_000, 40_000],
  ['Phone', 65_000, 420_000],
  ['School fees, part payment', 25_000, 180_000],
  ['Delivery', 1_200, 4_500],
]

export interface Customer {
  readonly name: string
  readonly email: string
  readonly bankCode: string
  readonly accountNumber: string
}

const PAYER_BANKS = ['058', '044', '057', '033', '011', '035']
const CUSTOMERS = 20_000

/** Picks a customer of the shop: a few buy often, most rarely. One random number decides all of the customer's data. */
export function customerOf({ part }: Random): Customer {
  const number = Math.floor(part() ** 3 * CUSTOMERS)
  const first = FIRST_NAMES[number % FIRST_NAMES.length] ?? ''
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length] ?? ''
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}${number}@example.com`.toLowerCase(),
    bankCode: PAYER_BANKS[number % PAYER_BANKS.length] ?? '',
    accountNumber: `30${String(number * 4_999).padStart(8, '0')}`,
  }
}

/** Picks a purchase and its price in whole naira. */
export function purchaseOf(chance: Random): { readonly description: string; readonly naira: number } {
  const [description, least, most] = chance.of(PRODUCTS)
  return { description, naira: Math.round((least + chance.part() ** 2 * (most - least)) / 50) * 50 }
}
