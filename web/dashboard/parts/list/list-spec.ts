import type { OperatorPermission, PersonPermission, Reply, Route } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentType } from 'preact'
import type { CallResult } from '../../api/call.ts'
import type { ScreenProps } from '../../shell/screen.ts'
import type { Fields } from '../form.tsx'
import type { Column } from './column.ts'
import type { Filter } from './filter.ts'

/** The response of every list route: one page of results, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
  readonly searchedBackTo: string | null
}

export interface AnyItem {
  readonly id: string
  readonly createdOn: string
}
export type ItemOf<R extends Route> = Reply<R> extends { readonly items: readonly (infer Item)[] } ? Item : never

export interface ActionField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'email' | 'amount' | 'number' | 'decimal' | 'day' | 'bank' | 'choice' | 'ticks'
  /** Replaces the usual field. */
  readonly Input?: ComponentType<{ readonly name: string }>
  readonly isOptional?: boolean
  readonly value?: string
  /** The last day of a date field. */
  readonly max?: string
  /** The options of a select or of checkboxes. */
  readonly choices?: readonly (readonly [value: string, title: string])[]
  /** The options ticked at first. Each checkbox is a separate form field: `NAME.VALUE`. */
  readonly ticked?: readonly string[]
}

/** A permission of a merchant's team member or of an operator. */
export type AnyPermission = PersonPermission | OperatorPermission

/** An action: a button that opens a form. */
export interface Action<Subject> {
  readonly title: string
  /** One sentence about the consequences. */
  readonly text?: string | ((subject: Subject) => string)
  readonly permission: AnyPermission
  readonly isDanger?: boolean
  /** The button that closes the form, if "Cancel" would be mistaken for the action: "Go back". */
  readonly dismiss?: string
  /** Whether the action is offered for this subject; always, by default. */
  readonly isAvailable?: (subject: Subject) => boolean
  readonly fields: readonly ActionField[] | ((subject: Subject) => readonly ActionField[])
  /** The message after success: "Refund requested." */
  readonly toast: string
  readonly run: (subject: Subject, fields: Fields) => Promise<CallResult<unknown>>
}

export interface DetailPartProps<Item> extends ScreenProps {
  readonly item: Item
  /** Shows a message on the page and reloads the item. */
  readonly done: (toast: string) => void
  readonly again: () => Promise<void>
}

/** A list screen and the detail pages of its items, as data. */
export interface ListSpec<R extends Route, Item = ItemOf<R>> {
  /** The first part of its URL: /dashboard/NAME. */
  readonly name: string
  readonly title: string
  /** The name of one item: "Refund". */
  readonly singular: string
  /** The heading of a detail page; `singular` by default. */
  readonly heading?: (item: Item) => string
  readonly list: Address<R>
  /** The heading of the message of an empty list; "No refunds yet" by default. */
  readonly emptyTitle?: string
  /** Shown while the list has no items at all. */
  readonly empty: string
  /** The first column links to the detail page. */
  readonly columns: readonly Column<Item>[]
  /** Further lines of the detail page. */
  readonly facts?: readonly Column<Item>[]
  readonly filters: readonly Filter[]
  /** Buttons above the list that create an item. */
  readonly createActions?: readonly Action<undefined>[]
  /** The page to open after an item was created, from the reply of its action; the list, by default. */
  readonly created?: (reply: unknown) => string
  /** Links above the list to screens that create an item. */
  readonly createLinks?: readonly {
    readonly title: string
    readonly href: string
    readonly permission: AnyPermission
  }[]
  readonly selection?: {
    readonly title: string
    readonly permission: AnyPermission
    readonly isSelectable: (item: Item) => boolean
    /** The amount that the action moves for an item, in naira. */
    readonly amount: (item: Item) => number
    readonly address: (items: readonly Item[]) => string
  }
  /** Buttons on the detail page. */
  readonly actions?: readonly Action<Item>[]
  /** The URL of an item, if its page is another screen. */
  readonly address?: (item: Item) => string
  /** How to find the item of a detail page by the last part of its URL; by default that part is its id. */
  readonly find?: (key: string) => {
    readonly query: Readonly<Record<string, string | number>>
    readonly matches: (item: Item) => boolean
  }
  /** Shown above the list. */
  readonly Above?: ComponentType<ScreenProps>
  /** Shown below the facts of a detail page. */
  readonly Below?: ComponentType<DetailPartProps<Item>>
}

export type AnyList = ListSpec<Route, AnyItem>
