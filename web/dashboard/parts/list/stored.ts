import { useState } from 'preact/hooks'
import type { Me } from '../../api/call.ts'

/** A user's choice for a list, kept in this browser. */
export function useStored<Value>(
  me: Pick<Me, 'id'>,
  name: string,
  initial: Value,
): readonly [Value, (value: Value) => void] {
  const key = `kobo-${me.id}-${name}`
  const [value, setValue] = useState<Value>(() => {
    try {
      return (JSON.parse(localStorage.getItem(key) ?? 'null') as Value | null) ?? initial
    } catch {
      return initial
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      localStorage.setItem(key, JSON.stringify(next))
    },
  ]
}
