import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { koboText, readKobo } from '../../ui/money.ts'
import { call, problemOf } from '../api/call.ts'
import type { OwnAccounts } from '../api/own-accounts.ts'
import { useReply } from '../api/use-reply.ts'
import type { CsvTable } from '../parts/csv.ts'
import { CsvUpload, Figures } from '../parts/csv-upload.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import type { Column } from '../parts/list/column.ts'
import { newReference } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { type BatchRow, ROWS_MAX, readBatch, totalKobo } from './new-batch/batch-file.ts'
import { useFees } from './new-batch/fees.ts'
import { accountOf, type BankNames, checkOf, useBankNames } from './new-batch/name-checks.ts'

const SHOWN_MAX = 200
const EXAMPLE = {
  name: 'batch.csv',
  text: 'accountNumber,bankCode,accountName,amount,narration\r\n0123456789,058,ADA OBI,50000,Salary for March\r\n',
}

/** Sends money to many bank accounts: the user picks a file, checks its rows and sends them as one batch. */
export default function NewBatch({ go }: ScreenProps): JSX.Element {
  const { body: own, problem: ownProblem } = useReply(routes.getOwnAccounts, {})
  const { body: banks, problem: banksProblem } = useReply(routes.listBanks, {})
  const [batchReference] = useState(() => newReference('batch'))
  const [file, setFile] = useState<CsvTable<BatchRow>>()
  if (own === undefined || banks === undefined) return <LoadingOrError problem={ownProblem ?? banksProblem} />
  return (
    <div class="stack">
      <h1>New batch</h1>
      <CsvUpload
        example={EXAMPLE}
        file={file}
        read={(text) =>
          readBatch(text, { bankNames: new Map(banks.map(({ code, name }) => [code, name])), batchReference })
        }
        choose={setFile}
      >
        Upload a CSV file with up to {ROWS_MAX.toLocaleString('en')} rows. The first row names the columns:
        accountNumber, bankCode and amount are required; accountName, narration and reference are optional.
      </CsvUpload>
      {file !== undefined && file.rows.length > 0 && (
        <Preview file={file} own={own} batchReference={batchReference} go={go} />
      )}
    </div>
  )
}

interface PreviewProps extends Pick<ScreenProps, 'go'> {
  readonly file: CsvTable<BatchRow>
  readonly own: OwnAccounts
  readonly batchReference: string
}

/** The totals and rows of the file, and the form that sends it if every row is valid. */
function Preview({ file: { rows }, own, batchReference, go }: PreviewProps): JSX.Element {
  const malformed = rows.filter((row) => row.problem !== undefined)
  const valid = malformed.length > 0 ? NO_ROWS : rows
  const names = useBankNames(valid)
  const fees = useFees(valid)
  const accounts = new Set(rows.map(accountOf)).size
  const unknown = rows.filter((row) => checkOf(row, names)?.outcome === 'UNKNOWN_ACCOUNT')
  const invalid =
    malformed.length > 0
      ? malformed
      : unknown.map((row) => ({ ...row, problem: 'The bank does not know this account number' }))
  const isChecking = malformed.length === 0 && names.size < accounts
  return (
    <>
      <Figures title="Transfers" count={rows.length} total={totalKobo(rows)} fees={fees} available={own.available} />
      {invalid.length > 0 ? (
        <p class="notice bad" role="alert">
          {invalid.length === 1 ? '1 row has an error.' : `${invalid.length} rows have errors.`} Fix the file and upload
          it again.
        </p>
      ) : isChecking ? (
        <p class="notice" role="status">
          Checking names with the banks: {names.size.toLocaleString('en')} of {accounts.toLocaleString('en')} accounts.
        </p>
      ) : (
        <SendForm rows={rows} names={names} own={own} batchReference={batchReference} go={go} />
      )}
      <FileRows rows={invalid.length > 0 ? invalid : rows} isInvalid={invalid.length > 0} names={names} />
    </>
  )
}

interface SendFormProps extends Omit<PreviewProps, 'file'> {
  readonly rows: readonly BatchRow[]
  readonly names: BankNames
}

/** The form that sends the rows. The user must tick one box for different names and one for repeated payments. */
function SendForm({ rows, names, own, batchReference, go }: SendFormProps): JSX.Element {
  const different = rows.filter((row) => checkOf(row, names)?.outcome === 'DIFFERENT_NAME').length
  const repeated = rows.filter(({ sameAs }) => sameAs !== undefined).length
  const count = rows.length === 1 ? '1 transfer' : `${rows.length.toLocaleString('en')} transfers`
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
          ...nameOf(row, names),
          ...(row.narration === '' ? {} : { narration: row.narration }),
        })),
      },
    })
    if (result.kind !== 'done') return problemOf(result)
    go(`/dashboard/search?text=${encodeURIComponent(batchReference)}`)
    return undefined
  }
  return (
    <section class="panel">
      <Form act={send} submit={`Send ${count}, ${koboText(totalKobo(rows))}`}>
        {different > 0 && (
          <Tick name="differencesChecked">
            {different === 1 ? '1 name differs' : `${different} names differ`} from the bank’s. I have checked
            {different === 1 ? ' it' : ' them'}.
          </Tick>
        )}
        {repeated > 0 && (
          <Tick name="repeatsChecked">
            {repeated === 1 ? '1 row has' : `${repeated} rows have`} the same account and amount as an earlier row. I
            have checked {repeated === 1 ? 'it' : 'them'}.
          </Tick>
        )}
        <Field name="title" label="Title" hint="Only your team sees this" />
        <Field name="narration" label="Narration" hint="Recipients see this, unless their row has its own narration" />
      </Form>
    </section>
  )
}

/** A checkbox that the user must tick. */
const Tick = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element => (
  <label class="tick">
    <input type="checkbox" name={name} required />
    <span>{children}</span>
  </label>
)

/** Formats an amount; an invalid one is shown as it is in the file. */
function amountText(amount: string): string {
  const kobo = readKobo(amount)
  return kobo === undefined ? amount : koboText(kobo)
}

const NO_ROWS: readonly BatchRow[] = []

/** The name to send: the bank's, or the file's if the bank did not respond. */
function nameOf(row: BatchRow, names: BankNames): { readonly destinationAccountName?: string } {
  const name = checkOf(row, names)?.bankName || row.accountName
  return name === '' ? {} : { destinationAccountName: name }
}

const REPEAT: Column<BatchRow> = {
  title: 'Repeat',
  value: ({ sameAs }) => (sameAs === undefined ? null : `SAME_AS_ROW_${sameAs}`),
  kind: 'status',
}

interface FileRowsProps {
  readonly rows: readonly BatchRow[]
  readonly isInvalid: boolean
  readonly names: BankNames
}

/** The rows of the file with the bank's names, or only the invalid ones with their errors. */
const FileRows = ({ rows, isInvalid, names }: FileRowsProps): JSX.Element => (
  <Rows<BatchRow>
    title={isInvalid ? 'Rows with errors' : 'Rows'}
    rows={rows.slice(0, SHOWN_MAX)}
    more={rows.length > SHOWN_MAX ? `Showing the first ${SHOWN_MAX}` : undefined}
    columns={[
      { title: 'Row', value: ({ line }) => line },
      ...(isInvalid ? [{ title: 'Error', value: ({ problem }: BatchRow) => problem ?? null }] : []),
      { title: 'Account number', value: ({ accountNumber }) => accountNumber },
      { title: 'Bank', value: ({ bank }) => bank, isWide: true },
      { title: 'Name in the file', value: ({ accountName }) => accountName },
      ...(isInvalid
        ? []
        : ([
            { title: 'Name at the bank', value: (row) => checkOf(row, names)?.bankName ?? '…' },
            { title: 'Name check', value: (row) => checkOf(row, names)?.outcome ?? 'CHECKING', kind: 'status' },
            ...(rows.some(({ sameAs }) => sameAs !== undefined) ? [REPEAT] : []),
          ] satisfies Column<BatchRow>[])),
      { title: 'Amount', value: ({ amount }) => amountText(amount), kind: 'naira' },
    ]}
  />
)
