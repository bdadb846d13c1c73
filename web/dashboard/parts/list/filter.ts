import type { PersonPermission } from '@kobo/contract'
import { plainAmount, readKobo } from '../../../ui/money.ts'
import { daysOf } from './period.ts'

/** A filter of a list. Its name is both the URL parameter and the query field of the route. */
export type Filter =
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly title: string
      readonly values: readonly string[]
      /** How the values are shown, if not by their own name. */
      readonly titles?: Readonly<Record<string, string>>
      /** The option without a value; "All" by default. */
      readonly none?: string
    }
  | {
      readonly kind: 'text'
      readonly name: string
      readonly title: string
      /** Shown only when a link from another screen has set it. */
      readonly isRare?: boolean
      /** Whether the values are long references. */
      readonly isLong?: boolean
      /** Shown only to users with this permission. */
      readonly needs?: PersonPermission
    }
  | { readonly kind: 'amount'; readonly name: string; readonly title: string }
  /** Kept in the URL by its name, so that a saved view of today shows today. */
  | { readonly kind: 'period'; readonly name: 'period'; readonly title: string }
  | { readonly kind: 'day'; readonly name: 'from' | 'to'; readonly title: string }

/** Whole days in Lagos, both included: those of a period, or fixed ones. */
export const DAYS: readonly Filter[] = [
  { kind: 'period', name: 'period', title: 'Period' },
  { kind: 'day', name: 'from', title: 'From' },
  { kind: 'day', name: 'to', title: 'To' },
]
export const AMOUNTS: readonly Filter[] = [
  { kind: 'amount', name: 'amountFrom', title: 'Minimum amount' },
  { kind: 'amount', name: 'amountTo', title: 'Maximum amount' },
]
export const ORDER: Filter = {
  kind: 'choice',
  name: 'order',
  title: 'Order',
  values: ['OLDEST'],
  titles: { OLDEST: 'Oldest first' },
  none: 'Newest first',
}
export const CUSTOMER: Filter = {
  kind: 'text',
  name: 'customer',
  title: 'Name or email',
  needs: 'payer.read',
}
export const status = (values: readonly string[], titles: Readonly<Record<string, string>> = {}): Filter => ({
  kind: 'choice',
  name: 'status',
  title: 'Status',
  values,
  titles,
})
/** A webhook event that is retried is pending until it is delivered. */
export const EVENT_STATUS = status(['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT'], { PENDING: 'Pending or retrying' })

/** The filters that a user may use. */
export const allowedFilters = (filters: readonly Filter[], permissions: readonly string[]): readonly Filter[] =>
  filters.filter((filter) => !('needs' in filter) || filter.needs === undefined || permissions.includes(filter.needs))

/** The filters of a view that can be saved: those in the page's URL, but none that names a customer. */
export function viewOf(filters: readonly Filter[], query: URLSearchParams): string {
  const view = new URLSearchParams()
  for (const filter of filters) {
    const value = query.get(filter.name)
    if (value && !('needs' in filter)) view.set(filter.name, value)
  }
  return view.toString()
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The query of a list's route, read from the page's URL parameters. Parameters that are not filters are ignored. */
export function listQuery(filters: readonly Filter[], parameters: URLSearchParams): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  const days = daysOf(parameters)
  for (const { name, kind } of filters) {
    const value = kind === 'day' ? days[name] : (parameters.get(name)?.trim() ?? '')
    if (value === '' || kind === 'period') continue
    const kobo = kind === 'amount' ? readKobo(value) : undefined
    if (kind === 'amount') {
      if (kobo !== undefined) query[name] = plainAmount(kobo)
    } else if (kind !== 'day') query[name] = value
    else if (DAY.test(value)) query[name] = `${value}T${name === 'from' ? '00:00:00.000' : '23:59:59.999'}+01:00`
  }
  return query
}
