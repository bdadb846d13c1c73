import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { koboOf, plainAmount } from '../../ui/money.ts'
import { Field, type Fields } from './form.tsx'

const ITEMS_MAX = 50

/** An item as the API takes it. */
export interface NewItem {
  readonly description: string
  readonly quantity: number
  readonly unitPrice: string
}

/** The items in the order in which the form shows them. */
export const readItems = (name: string, fields: Fields): NewItem[] =>
  Object.keys(fields).flatMap((key) => {
    if (!key.startsWith(`${name}.`) || !key.endsWith('.description')) return []
    const of = (part: string): string => fields[key.replace(/description$/, part)] ?? ''
    return { description: of('description'), quantity: Number(of('quantity')), unitPrice: of('unitPrice') }
  })

/** The sum of the items, in naira. */
export const totalOf = (items: readonly NewItem[]): string =>
  plainAmount(items.reduce((kobo, { quantity, unitPrice }) => kobo + quantity * koboOf(Number(unitPrice)), 0))

/** Rows of description, quantity and unit price, added one by one. */
export function ItemFields({ name }: { readonly name: string }): JSX.Element {
  const [rows, setRows] = useState<readonly number[]>([])
  const next = Math.max(-1, ...rows) + 1
  return (
    <>
      {rows.map((index, place) => (
        <fieldset key={index} class="item-fields">
          <legend class="unseen">Item {place + 1}</legend>
          <Field name={`${name}.${index}.description`} label="Item" autofocus />
          <Field name={`${name}.${index}.quantity`} label="Quantity" inputMode="numeric" value="1" />
          <Field name={`${name}.${index}.unitPrice`} label="Unit price in naira" type="amount" />
          <button class="link danger" type="button" onClick={() => setRows(rows.filter((one) => one !== index))}>
            Remove<span class="unseen"> item {place + 1}</span>
          </button>
        </fieldset>
      ))}
      {rows.length < ITEMS_MAX && (
        <button class="button plain fit" type="button" onClick={() => setRows([...rows, next])}>
          Add item
        </button>
      )}
    </>
  )
}
