import type { JSX } from 'preact'
import { Facts } from './list/detail.tsx'
import { asText, settingName } from './names.ts'

type Details = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Details => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The details of an audit log entry in words, one line each: `{"after": {"role": "admin"}}` → “After: role”, “admin”. */
const linesOf = (details: Details): readonly (readonly [title: string, text: string])[] =>
  Object.entries(details).flatMap(([name, value]) =>
    isMap(value)
      ? Object.entries(value).map(
          ([inner, one]) => [`${settingName(name)}: ${settingName(inner)}`, asText(one)] as const,
        )
      : [[settingName(name), asText(value)] as const],
  )

/** The recorded details of an audit log entry, below its facts. */
export function AuditDetails({ item: { details } }: { readonly item: { readonly details: Details } }): JSX.Element {
  const lines = linesOf(details)
  if (lines.length === 0) return <p class="quiet">No further details.</p>
  return (
    <>
      <h2>Details</h2>
      <Facts columns={lines.map(([title, text]) => ({ title, value: () => text }))} item={undefined} />
    </>
  )
}
