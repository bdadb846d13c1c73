import type { JSX } from 'preact'
import { CopyButton } from '../copy-button.tsx'
import type { ValueProps } from './value.tsx'

/** A button that copies a value, if there is one. */
export function CopyValue<Item>({ column: { title, value }, item }: ValueProps<Item>): JSX.Element | null {
  const text = value(item)
  return text === null || text === '' ? null : <CopyButton text={String(text)} what={title.toLowerCase()} />
}
