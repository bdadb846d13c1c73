import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { koboOf, koboText } from '../../ui/money.ts'
import type { CsvTable } from './csv.ts'

const FILE_BYTES_MAX = 5_000_000

interface CsvUploadProps<Row> {
  /** Says which columns the file has. */
  readonly children: ComponentChildren
  readonly example: { readonly name: string; readonly text: string }
  readonly file: CsvTable<Row> | undefined
  readonly read: (text: string) => CsvTable<Row>
  readonly choose: (file: CsvTable<Row> | undefined) => void
}

/** A field for a CSV file, with an example to download and the error of the chosen file. */
export function CsvUpload<Row>({ children, example, file, read, choose }: CsvUploadProps<Row>): JSX.Element {
  const id = useId()
  const open = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) choose(undefined)
    else if (chosen.size > FILE_BYTES_MAX)
      choose({ rows: [], problem: 'The file is larger than 5 MB. Split it into smaller files.' })
    else choose(read(await chosen.text()))
  }
  return (
    <>
      <section class="panel stack">
        <p>
          {children}{' '}
          <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(example.text)}`} download={example.name}>
            Download an example
          </a>
        </p>
        <div class="field">
          <label for={id}>CSV file</label>
          <input
            id={id}
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
          />
        </div>
      </section>
      <div role="alert">{file?.problem !== undefined && <p class="notice bad">{file.problem}</p>}</div>
    </>
  )
}

interface FiguresProps {
  /** The name of the rows: "Transfers". */
  readonly title: string
  readonly count: number
  /** In kobo. */
  readonly total: number
  /** The fees of all rows in kobo, if they are known. */
  readonly fees?: number | undefined
  /** The wallet's balance in naira; null if the user may not see it. */
  readonly available: number | null
}

/** How many rows there are, their total, and what is left in the wallet after them. */
export const Figures = ({ title, count, total, fees, available }: FiguresProps): JSX.Element => (
  <dl class="figures">
    <div class="figure">
      <dt>{title}</dt>
      <dd>{count.toLocaleString('en')}</dd>
    </div>
    <div class="figure">
      <dt>Total before fees</dt>
      <dd>{koboText(total)}</dd>
    </div>
    {fees !== undefined && (
      <div class="figure">
        <dt>Fees</dt>
        <dd>{koboText(fees)}</dd>
      </div>
    )}
    {available !== null && (
      <div class="figure">
        <dt>Balance afterwards{fees === undefined && ' (excluding fees)'}</dt>
        <dd>{koboText(koboOf(available) - total - (fees ?? 0))}</dd>
      </div>
    )}
  </dl>
)
