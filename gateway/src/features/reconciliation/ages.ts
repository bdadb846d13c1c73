/** Age groups of open items, in days. */
export const AGES = ['0-1', '2-3', '4-7', '8-30', 'over 30'] as const
export type Age = (typeof AGES)[number]

const LAST_DAYS: readonly (readonly [Age, number])[] = [
  ['0-1', 1],
  ['2-3', 3],
  ['4-7', 7],
  ['8-30', 30],
]

export const ageOf = (days: number): Age => LAST_DAYS.find(([, last]) => days <= last)?.[0] ?? 'over 30'
