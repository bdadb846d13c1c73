import { type ComponentChild, Fragment, type VNode } from 'preact'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
const VOID = /^(br|hr|img|input|link|meta|wbr)$/
const NO_ATTRIBUTES = new Set(['children', 'key', 'ref'])

/** Renders a view as HTML on the server. Enough for our views, which are pure functions without state. */
export function toMarkup(child: ComponentChild | readonly ComponentChild[]): string {
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  if (Array.isArray(child)) return child.map(toMarkup).join('')
  if (typeof child !== 'object') return escaped(String(child))
  const { type, props } = child as VNode<Record<string, unknown>>
  const children = props['children'] as ComponentChild
  if (type === (Fragment as unknown)) return toMarkup(children)
  if (typeof type === 'function') return toMarkup((type as (props: object) => ComponentChild)(props))
  const start = `<${type}${attributes(props)}>`
  return VOID.test(String(type)) ? start : `${start}${toMarkup(children)}</${type}>`
}

const attributes = (props: Readonly<Record<string, unknown>>): string =>
  Object.entries(props)
    .filter(
      ([name, value]) =>
        !NO_ATTRIBUTES.has(name) && !/^on[A-Z]/.test(name) && value !== undefined && value !== null && value !== false,
    )
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`))
    .join('')
