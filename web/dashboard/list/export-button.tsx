import type { Input, Route } from '@kobo/contract'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call, problemOf } from '../call.ts'
import { BYTE_ORDER_MARK, line } from './csv.ts'
import type { AnyItem, AnyList, Page } from './spec.ts'

/** More in one file than a spreadsheet opens; who needs more takes a shorter time. */
const ROWS_MAX = 1_000_000
const PAGE_SIZE = 100

interface ExportProps {
  readonly spec: AnyList
  /** What the list is narrowed down to. */
  readonly wanted: Readonly<Record<string, string>>
}

/** Writes all of a list into a file, just as it is narrowed down, to the last row. */
export function ExportButton({ spec, wanted }: ExportProps): JSX.Element {
  const [rows, setRows] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const isStopped = useRef(false)
  const run = async (): Promise<void> => {
    isStopped.current = false
    setProblem(undefined)
    setRows(0)
    const outcome = await collect(spec, wanted, (count) => {
      setRows(count)
      return !isStopped.current
    })
    setRows(undefined)
    if (typeof outcome === 'string') setProblem(outcome)
    else if (!isStopped.current) save(outcome, `${spec.name}.csv`)
  }
  return (
    <>
      <span role="status" class={problem === undefined ? 'quiet small number' : 'wrong'}>
        {rows === undefined ? problem : `${rows.toLocaleString('en')} rows`}
      </span>
      {rows === undefined ? (
        <button class="button plain fit" type="button" onClick={() => void run()}>
          Export
        </button>
      ) : (
        <button
          class="button plain fit"
          type="button"
          onClick={() => {
            isStopped.current = true
          }}
        >
          Stop
        </button>
      )}
    </>
  )
}

/** The file, in parts; or what went wrong. `tell` answers whether to go on. */
async function collect(
  spec: AnyList,
  wanted: Readonly<Record<string, string>>,
  tell: (rows: number) => boolean,
): Promise<readonly string[] | string> {
  const columns = [...spec.columns, ...(spec.facts ?? [])]
  const parts = [BYTE_ORDER_MARK + line(columns.map(({ title }) => title))]
  let before: string | undefined
  for (let rows = 0; rows < ROWS_MAX; ) {
    const query = { ...wanted, size: PAGE_SIZE, ...(before === undefined ? {} : { before }) }
    const answer = await call(spec.list, { query } as unknown as Input<Route>)
    if (answer.kind !== 'done') return problemOf(answer)
    const { items, next } = answer.body as Page<AnyItem>
    parts.push(items.map((item) => line(columns.map(({ value }) => value(item)))).join(''))
    rows += items.length
    if (!tell(rows) || next === null) return parts
    before = next
  }
  return `There are more than ${ROWS_MAX.toLocaleString('en')} rows: choose a shorter time.`
}

/** Has the browser keep the file. */
function save(parts: readonly string[], name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
