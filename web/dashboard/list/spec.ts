import type { OperatorPermission, PersonPermission, Reply, Route } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentType } from 'preact'
import type { Answer } from '../call.ts'
import type { Fields } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import type { Column, Filter } from './column.ts'

/** What every list answers: rows with an id, newest first, and where to go on. */
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

/** A field of a form that an act asks for. */
export interface Asked {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'email' | 'amount' | 'number' | 'day' | 'bank' | 'choice' | 'ticks'
  readonly isOptional?: boolean
  readonly value?: string
  /** What can be chosen, or ticked: each a value and what it is called. */
  readonly choices?: readonly (readonly [value: string, title: string])[]
  /** What is ticked at first, of those that can be. Each that is ticked is a field by itself: `NAME.VALUE`. */
  readonly ticked?: readonly string[]
}

/** A permission, of a merchant's people or of the operator's. */
export type AnyPermission = PersonPermission | OperatorPermission

/** Something that a person can do, from a button that opens a form. */
export interface Act<Subject> {
  readonly title: string
  /** What comes of it, in a sentence. */
  readonly text?: string
  readonly permission: AnyPermission
  readonly isDanger?: boolean
  /** Whether it can be done with this one; always where left out. */
  readonly isFor?: (subject: Subject) => boolean
  readonly asks: readonly Asked[] | ((subject: Subject) => readonly Asked[])
  /** What is said once it is done, where that is not simply that it is. */
  readonly told?: string
  readonly act: (subject: Subject, fields: Fields) => Promise<Answer<unknown>>
}

export interface PartProps<Item> extends ScreenProps {
  readonly item: Item
  /** Has the page tell that something was done, and look again. */
  readonly done: (told: string) => void
}

/** A list and the pages of what stands in it, as data. */
export interface ListSpec<R extends Route, Item = ItemOf<R>> {
  /** The first part of its address: /dashboard/NAME. */
  readonly name: string
  readonly title: string
  /** What one of them is called. */
  readonly one: string
  /** What stands above the page of one, where that is not simply what it is called. */
  readonly heading?: (item: Item) => string
  readonly list: Address<R>
  /** What is said where there is none at all yet. */
  readonly empty: string
  /** The first one leads to the page of the row. */
  readonly columns: readonly Column<Item>[]
  /** What only the page of one shows. */
  readonly facts?: readonly Column<Item>[]
  readonly filters: readonly Filter[]
  /** What can be made, above the list. */
  readonly makes?: readonly Act<undefined>[]
  /** Screens on which more is made than a form holds. */
  readonly makesOn?: readonly { readonly title: string; readonly href: string; readonly permission: AnyPermission }[]
  /** What can be done with one. */
  readonly acts?: readonly Act<Item>[]
  /** Where a row leads, where that is not its own page here. */
  readonly address?: (item: Item) => string
  /** How the one is found whose page is opened, where its address does not end in its id. */
  readonly find?: (key: string) => {
    readonly query: Readonly<Record<string, string | number>>
    readonly isIt: (item: Item) => boolean
  }
  /** What stands above the list. */
  readonly Above?: ComponentType<ScreenProps>
  /** What stands under the facts of one. */
  readonly Below?: ComponentType<PartProps<Item>>
}

/** A list without its types, which every screen has of its own. */
export type AnyList = ListSpec<Route, AnyItem>
