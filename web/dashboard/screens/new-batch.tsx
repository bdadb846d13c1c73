import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { koboOf, koboText } from '../../ui/money.ts'
import { call, problemOf } from '../api/call.ts'
import type { OwnAccounts } from '../api/own-accounts.ts'
import { useReply } from '../api/use-reply.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { newReference } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { LoadingOrError } from '../parts/loading.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import {
  type BatchFile,
  type BatchRow,
  FILE_BYTES_MAX,
  ROWS_MAX,
  readBatch,
  totalKobo,
} from './new-batch/batch-file.ts'

const SHOWN_MAX = 200
const EXAMPLE =
  'accountNumber,bankCode,accountName,amount,narration\r\n0123456789,058,ADA OBI,50000,Salary for March\r\n'

/** Sends money to many bank accounts: the user picks a file, checks its rows and sends them as one batch. */
export default function NewBatch({ go }: ScreenProps): JSX.Element {
  const { body: own, problem: ownProblem } = useReply(routes.getOwnAccounts, {})
  const { body: banks, problem: banksProblem } = useReply(routes.listBanks, {})
  const [batchReference] = useState(() => newReference('batch'))
  const [file, setFile] = useState<BatchFile>()
  if (own === undefined || banks === undefined) return <LoadingOrError problem={ownProblem ?? banksProblem} />
  const readFile = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return setFile(undefined)
    if (chosen.size > FILE_BYTES_MAX)
      return setFile({ rows: [], problem: 'The file is larger than 5 MB. Split it into smaller files.' })
    const bankCodes = new Set(banks.map(({ code }) => code))
    setFile(readBatch(await chosen.text(), { bankCodes, batchReference }))
  }
  return (
    <div class="stack">
      <h1>New batch</h1>
      <section class="panel stack">
        <p>
          Upload a CSV file with up to {ROWS_MAX.toLocaleString('en')} rows. The first row names the columns:
          accountNumber, bankCode and amount are required; accountName, narration and reference are optional.{' '}
          <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`} download="batch.csv">
            Download an example
          </a>
        </p>
        <div class="field">
          <label for="batch-file">CSV file</label>
          <input
            id="batch-file"
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
          />
        </div>
      </section>
      <div role="alert">{file?.problem !== undefined && <p class="notice bad">{file.problem}</p>}</div>
      {file !== undefined && file.rows.length > 0 && (
        <Preview file={file} own={own} batchReference={batchReference} go={go} />
      )}
    </div>
  )
}

interface PreviewProps extends Pick<ScreenProps, 'go'> {
  readonly file: BatchFile
  readonly own: OwnAccounts
  readonly batchReference: string
}

/** The totals and rows of the file, and the form that sends it if every row is valid. */
function Preview({ file: { rows }, own, batchReference, go }: PreviewProps): JSX.Element {
  const invalid = rows.filter((row) => row.problem !== undefined)
  const total = totalKobo(rows)
  const send = async ({ title = '', narration = '' }: Fields): Promise<string | undefined> => {
    const result = await call(routes.initiateBatch, {
      body: {
        title,
        narration,
        batchReference,
        sourceAccountNumber: own.walletAccountNumber,
        onValidationFailure: 'BREAK',
        transactionList: rows.map((row) => ({
          amount: row.amount,
          reference: row.reference,
          destinationBankCode: row.bankCode,
          destinationAccountNumber: row.accountNumber,
          ...(row.accountName === '' ? {} : { destinationAccountName: row.accountName }),
          ...(row.narration === '' ? {} : { narration: row.narration }),
        })),
      },
    })
    if (result.kind !== 'done') return problemOf(result)
    go(`/dashboard/search?text=${encodeURIComponent(batchReference)}`)
    return undefined
  }
  return (
    <>
      <dl class="figures">
        <div class="figure">
          <dt>Transfers</dt>
          <dd>{rows.length.toLocaleString('en')}</dd>
        </div>
        <div class="figure">
          <dt>Total before fees</dt>
          <dd>{koboText(total)}</dd>
        </div>
        {own.available !== null && (
          <div class="figure">
            <dt>Balance after batch (excluding fees)</dt>
            <dd>{koboText(koboOf(own.available) - total)}</dd>
          </div>
        )}
      </dl>
      {invalid.length > 0 ? (
        <p class="notice bad" role="alert">
          {invalid.length === 1 ? '1 row has an error.' : `${invalid.length} rows have errors.`} Fix these rows and
          upload the file again.
        </p>
      ) : (
        <section class="panel">
          <Form act={send} submit="Send batch">
            <Field name="title" label="Title" hint="Only your team sees this" />
            <Field
              name="narration"
              label="Narration"
              hint="Recipients see this, unless their row has its own narration"
            />
          </Form>
        </section>
      )}
      <FileRows rows={invalid.length > 0 ? invalid : rows} isInvalid={invalid.length > 0} />
    </>
  )
}

/** The rows of the file, or only the invalid ones with their errors. */
const FileRows = ({
  rows,
  isInvalid,
}: {
  readonly rows: readonly BatchRow[]
  readonly isInvalid: boolean
}): JSX.Element => (
  <Rows<BatchRow>
    title={isInvalid ? 'Rows with errors' : 'Rows'}
    rows={rows.slice(0, SHOWN_MAX)}
    empty=""
    more={rows.length > SHOWN_MAX ? `Showing the first ${SHOWN_MAX}` : undefined}
    columns={[
      { title: 'Row', value: ({ line }) => line },
      ...(isInvalid ? [{ title: 'Error', value: ({ problem }: BatchRow) => problem ?? null }] : []),
      { title: 'Account', value: ({ accountNumber }) => accountNumber, isWide: isInvalid },
      { title: 'Bank', value: ({ bankCode }) => bankCode, isWide: true },
      { title: 'Name', value: ({ accountName }) => accountName, isWide: true },
      { title: 'Amount', value: ({ amount }) => amount },
    ]}
  />
)
