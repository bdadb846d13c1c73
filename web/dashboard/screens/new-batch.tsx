import type { InDashboard, initiateBatch } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { minus, naira } from '../../ui/money.ts'
import { BANKS } from '../bank-field.tsx'
import { type BatchFile, type BatchRow, FILE_BYTES_MAX, ROWS_MAX, readBatch, totalOf } from '../batch/rows.ts'
import { call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { newReference } from '../list/reference.ts'
import { Rows } from '../list/rows.tsx'
import { OWN_ACCOUNTS, type OwnAccounts } from '../own-accounts.ts'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'

const SEND: Address<InDashboard<typeof initiateBatch>> = {
  method: 'POST',
  path: '/dashboard/api/v2/disbursements/batch',
}
const SHOWN_MAX = 200
const EXAMPLE =
  'accountNumber,bankCode,accountName,amount,narration\r\n0123456789,058,ADA OBI,50000,Salary for March\r\n'

/** Sends money to many bank accounts: a file is chosen, looked through row by row, and sent as a whole. */
export default function NewBatch({ go }: ScreenProps): JSX.Element {
  const { body: own, problem } = useReply(OWN_ACCOUNTS, {})
  const { body: banks, problem: noBanks } = useReply(BANKS, {})
  const [batchReference] = useState(() => newReference('batch'))
  const [file, setFile] = useState<BatchFile>()
  const wrong = problem ?? noBanks
  if (own === undefined || banks === undefined)
    return wrong === undefined ? <Waiting /> : <p class="notice bad">{wrong}</p>
  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return setFile(undefined)
    if (chosen.size > FILE_BYTES_MAX) return setFile({ rows: [], problem: 'The file is larger than 5 MB.' })
    const bankCodes = new Set(banks.map(({ code }) => code))
    setFile(readBatch(await chosen.text(), { bankCodes, batchReference }))
  }
  return (
    <div class="stack">
      <h1>New batch</h1>
      <section class="panel stack">
        <p>
          A file as spreadsheets save it (CSV), with a first row that names the columns: accountNumber, bankCode and
          amount; accountName, narration and reference where you like. At most {ROWS_MAX.toLocaleString('en')} rows.{' '}
          <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`} download="batch.csv">
            An example
          </a>
        </p>
        <div class="field">
          <label for="batch-file">File</label>
          <input
            id="batch-file"
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
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

/** What the file holds, what is wrong with it, and the way on where nothing is. */
function Preview({ file: { rows }, own, batchReference, go }: PreviewProps): JSX.Element {
  const wrong = rows.filter((row) => row.problem !== undefined)
  const total = totalOf(rows)
  const send = async ({ title = '', narration = '' }: Fields): Promise<string | undefined> => {
    const answer = await call(SEND, {
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
    if (answer.kind !== 'done') return problemOf(answer)
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
          <dt>Together, before fees</dt>
          <dd>{naira(total)}</dd>
        </div>
        {own.available !== null && (
          <div class="figure">
            <dt>Left in the wallet</dt>
            <dd>{naira(minus(own.available, total))}</dd>
          </div>
        )}
      </dl>
      {wrong.length > 0 ? (
        <p class="notice bad" role="alert">
          {wrong.length === 1 ? 'One row cannot be sent.' : `${wrong.length} rows cannot be sent.`} Put them right in
          the file, and choose it again.
        </p>
      ) : (
        <section class="panel">
          <Form act={send} submit="Send the batch">
            <Field name="title" label="Title" hint="For yourselves" />
            <Field name="narration" label="For what" hint="Receivers read it, unless a row says otherwise" />
          </Form>
        </section>
      )}
      <FileRows rows={wrong.length > 0 ? wrong : rows} isWrong={wrong.length > 0} />
    </>
  )
}

/** The rows of the file, or those that cannot be sent with why. */
const FileRows = ({
  rows,
  isWrong,
}: {
  readonly rows: readonly BatchRow[]
  readonly isWrong: boolean
}): JSX.Element => (
  <Rows<BatchRow>
    title={isWrong ? 'Rows that cannot be sent' : 'Rows'}
    rows={rows.slice(0, SHOWN_MAX)}
    empty=""
    more={rows.length > SHOWN_MAX ? `The first ${SHOWN_MAX} are shown.` : undefined}
    columns={[
      { title: 'Row', value: ({ line }) => line },
      ...(isWrong ? [{ title: 'What is wrong', value: ({ problem }: BatchRow) => problem ?? null }] : []),
      { title: 'Account', value: ({ accountNumber }) => accountNumber, isWide: isWrong },
      { title: 'Bank', value: ({ bankCode }) => bankCode, isWide: true },
      { title: 'Name', value: ({ accountName }) => accountName, isWide: true },
      { title: 'Amount', value: ({ amount }) => amount },
    ]}
  />
)
