import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { koboText } from '../../ui/money.ts'
import { problemOf } from '../api/call.ts'
import { useLookups } from '../api/use-lookups.ts'
import { useReply } from '../api/use-reply.ts'
import type { CsvTable } from '../parts/csv.ts'
import { CsvUpload, Figures } from '../parts/csv-upload.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import type { Column } from '../parts/list/column.ts'
import { customerUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import {
  type CheckedRow,
  checkRow,
  keyOf,
  REASON_LENGTH_MAX,
  type RequestedRow,
  ROWS_MAX,
  readRefunds,
  requestRefund,
  withoutRepeats,
} from './new-refunds/refund-rows.ts'

const EXAMPLE = { name: 'refunds.csv', text: 'reference,amount,reason\r\norder-1001,5000,Wrong size\r\n' }

/** Refunds many payments: those selected in the list (passed in the URL), or those in a file. */
export default function NewRefunds({ query }: ScreenProps): JSX.Element {
  const selected = query.getAll('reference').join('\n')
  const rows = useMemo(
    () => (selected === '' ? [] : selected.split('\n').slice(0, ROWS_MAX).map(selectedRow)),
    [selected],
  )
  const [file, setFile] = useState<CsvTable<RequestedRow>>()
  const chosen = file?.rows ?? rows
  return (
    <div class="stack">
      <h1>Refund payments</h1>
      {rows.length === 0 && (
        <CsvUpload example={EXAMPLE} file={file} read={readRefunds} choose={setFile}>
          Upload a CSV file with up to {ROWS_MAX} rows. The first row names the columns: reference (of the payment) and
          reason are required, amount is optional. Without an amount, we refund the rest of the payment. A row that was
          requested before is not refunded again.
        </CsvUpload>
      )}
      {chosen.length > 0 && <Preview rows={chosen} isFile={file !== undefined} />}
    </div>
  )
}

const selectedRow = (reference: string, index: number): RequestedRow => ({
  line: index + 1,
  reference,
  amount: '',
  reason: '',
  problem: undefined,
})

interface PreviewProps {
  readonly rows: readonly RequestedRow[]
  readonly isFile: boolean
}

/** The payments with their total and problems; the form; then the result of each refund. */
function Preview({ rows, isFile }: PreviewProps): JSX.Element {
  const { body: own } = useReply(routes.getOwnAccounts, {})
  const results = useLookups(rows, keyOf, checkRow)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map())
  const checked = withoutRepeats(rows.flatMap((row) => results.get(keyOf(row)) ?? []))
  const [blocked, open] = [checked.filter(isBlocked), checked.filter((row) => !isBlocked(row))]
  const waiting = open.filter((row) => !outcomes.has(keyOf(row)))
  const isChecking = checked.length < rows.length
  const send = async ({ reason = '' }: Fields): Promise<string | undefined> => {
    for (const row of waiting) {
      const result = await requestRefund(row, row.reason || reason)
      const isRejected = result.kind === 'rejected' && result.error.status < 500
      if (result.kind !== 'done' && (!isRejected || result.error.code === 'SECOND_FACTOR_NOT_FRESH'))
        return problemOf(result)
      const outcome = result.kind === 'done' ? result.body.comment : problemOf(result)
      setOutcomes((before) => new Map(before).set(keyOf(row), outcome))
    }
    return undefined
  }
  return (
    <>
      <Figures title="Refunds" count={open.length} total={totalOf(open)} available={own?.available ?? null} />
      <p class="quiet" role="status">
        {isChecking && `Checking payments: ${checked.length} of ${rows.length}.`}
      </p>
      {!isChecking && waiting.length > 0 && (
        <section class="panel stack">
          <p>Each refund is paid from your wallet to the customer’s original payment method.</p>
          <Form
            act={send}
            submit={`Refund ${waiting.length === 1 ? '1 payment' : `${waiting.length} payments`}, ${koboText(totalOf(waiting))}`}
          >
            {!isFile && (
              <Field
                name="reason"
                label="Reason"
                hint={`At most ${REASON_LENGTH_MAX} characters`}
                maxLength={REASON_LENGTH_MAX}
              />
            )}
          </Form>
        </section>
      )}
      <Toast
        text={open.length > 0 && waiting.length === 0 ? 'Refunds requested. Each row shows its result.' : undefined}
      />
      {blocked.length > 0 && (
        <PaymentRows
          title={blocked.length === 1 ? '1 row cannot be refunded' : `${blocked.length} rows cannot be refunded`}
          rows={blocked}
          last={{ title: 'Problem', value: ({ problem }) => problem ?? null }}
        />
      )}
      {open.length > 0 && (
        <PaymentRows
          title="Refunds"
          rows={open}
          last={{ title: 'Result', value: (row) => outcomes.get(keyOf(row)) ?? null }}
        />
      )}
    </>
  )
}

const totalOf = (rows: readonly CheckedRow[]): number => rows.reduce((sum, { kobo }) => sum + kobo, 0)

const isBlocked = ({ problem }: CheckedRow): boolean => problem !== undefined

interface PaymentRowsProps {
  readonly title: string
  readonly rows: readonly CheckedRow[]
  readonly last: Column<CheckedRow>
}

const PaymentRows = ({ title, rows, last }: PaymentRowsProps): JSX.Element => (
  <Rows<CheckedRow>
    title={title}
    rows={rows}
    columns={[
      {
        title: 'Payment',
        value: ({ reference }) => reference,
        link: ({ transactionReference: ours }) =>
          ours === '' ? undefined : `/dashboard/transactions/${encodeURIComponent(ours)}`,
      },
      { title: 'Row', value: ({ line }) => line, isWide: true },
      {
        title: 'Customer',
        value: ({ customer }) => customer,
        link: ({ customerEmail }) => customerUrl(customerEmail),
      },
      { title: 'Reason', value: ({ reason }) => reason, isWide: true },
      last,
      { title: 'Amount', value: ({ kobo }) => (kobo === 0 ? null : kobo / 100), kind: 'naira' },
    ]}
  />
)
