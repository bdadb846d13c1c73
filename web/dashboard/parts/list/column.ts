/** How a value is shown. */
export type Kind = 'text' | 'naira' | 'moment' | 'day' | 'status' | 'code'

/** A column of a list, or a line of a detail page. */
export interface Column<Item> {
  readonly title: string
  readonly value: (item: Item) => string | number | null
  readonly kind?: Kind
  /** Hidden on narrow screens. */
  readonly isWide?: boolean
  /** The screen that the value links to, if any. */
  readonly link?: (item: Item) => string | undefined
}
