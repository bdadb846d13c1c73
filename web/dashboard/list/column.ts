/** How a value is shown. */
export type Kind = 'text' | 'naira' | 'moment' | 'status' | 'code'

/** A column of a list, and a fact of a detail page. */
export interface Column<Item> {
  readonly title: string
  readonly value: (item: Item) => string | number | null
  readonly kind?: Kind
  /** Left out of the list where there is little room. */
  readonly isWide?: boolean
  /** Where it leads to, where that is another screen. */
  readonly link?: (item: Item) => string
}

/** What a list is narrowed down by. Its name stands in the address and is the field that the route is sent. */
export type Filter =
  | { readonly kind: 'choice'; readonly name: string; readonly title: string; readonly words: readonly string[] }
  | {
      readonly kind: 'text'
      readonly name: string
      readonly title: string
      /** Only shown where it is set, by a link from elsewhere. */
      readonly isRare?: boolean
    }
  | { readonly kind: 'amount'; readonly name: string; readonly title: string }
  | { readonly kind: 'day'; readonly name: 'from' | 'to'; readonly title: string }

/** Whole days in Lagos: from the beginning of the one to the end of the other. */
export const DAYS: readonly Filter[] = [
  { kind: 'day', name: 'from', title: 'From' },
  { kind: 'day', name: 'to', title: 'To' },
]
export const AMOUNTS: readonly Filter[] = [
  { kind: 'amount', name: 'amountFrom', title: 'Amount from' },
  { kind: 'amount', name: 'amountTo', title: 'Amount to' },
]
export const CUSTOMER: Filter = { kind: 'text', name: 'customer', title: 'Customer' }
export const status = (words: readonly string[]): Filter => ({ kind: 'choice', name: 'status', title: 'Status', words })

/** What is looked up by its reference, whatever it is. */
export const lookUp = (reference: string): string => `/dashboard/search?text=${encodeURIComponent(reference)}`

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What the address says, as the route of a list takes it. What is not a filter of the list is left out. */
export function queryOf(filters: readonly Filter[], address: URLSearchParams): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  for (const { name, kind } of filters) {
    const value = address.get(name)?.trim() ?? ''
    if (value === '') continue
    if (kind !== 'day') query[name] = value
    else if (DAY.test(value)) query[name] = `${value}T${name === 'from' ? '00:00:00.000' : '23:59:59.999'}+01:00`
  }
  return query
}
