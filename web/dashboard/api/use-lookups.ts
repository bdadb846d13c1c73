import { useEffect, useState } from 'preact/hooks'

const AT_ONCE_MAX = 4

/** Looks up each distinct key of some rows, a few at a time. Returns the results so far, by key. */
export function useLookups<Row, Result>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  lookUp: (row: Row) => Promise<Result>,
): ReadonlyMap<string, Result> {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  useEffect(() => {
    let isOver = false
    const waiting = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
    const found = new Map<string, Result>()
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined && !isOver; row = waiting.shift()) {
        found.set(keyOf(row), await lookUp(row))
        if (!isOver) setResults(new Map(found))
      }
    }
    setResults(new Map())
    for (let worker = 0; worker < AT_ONCE_MAX; worker++) void work()
    return () => {
      isOver = true
    }
  }, [rows, keyOf, lookUp])
  return results
}
