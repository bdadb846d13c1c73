import type { getReconciledPartner, importStatement, listExceptions, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { base64Of } from '../../parts/base64.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Form, Labelled } from '../../parts/form.tsx'
import { dayText } from '../../parts/format.ts'
import { ActionButton } from '../../parts/list/action-button.tsx'
import type { Column } from '../../parts/list/column.ts'
import { Facts } from '../../parts/list/detail.tsx'
import type { Action } from '../../parts/list/list-spec.ts'
import { Rows } from '../../parts/list/rows.tsx'
import { Toast } from '../../parts/toast.tsx'
import { Back, type Exception, Exceptions } from './exceptions.tsx'

type Partner = Reply<typeof listExceptions>['partners'][number]
type History = Reply<typeof getReconciledPartner>
type Imported = Reply<typeof importStatement>

interface PartnerPageProps {
  readonly partner: Partner
  readonly exceptions: readonly Exception[]
  readonly mayManage: boolean
  /** Reloads the partner and its exceptions. */
  readonly again: () => Promise<void>
}

/** A partner's statements, exceptions and closed days. */
export function PartnerPage({ partner, exceptions, mayManage, again }: PartnerPageProps): JSX.Element {
  const [toast, setToast] = useState<string>()
  const history = useReply(routes.getReconciledPartner, { params: { partner: partner.partner } })
  const done = (text: string): void => {
    setToast(text)
    void again()
    void history.again()
  }
  return (
    <div class="stack">
      <Back />
      <div class="split-row heading">
        <h1>{partner.partner}</h1>
        {mayManage && (
          <div class="actions">
            <ImportButton partner={partner.partner} done={(imported) => done(importText(imported))} />
            {partner.next !== null && (
              <ActionButton
                action={closing(partner.next.day)}
                subject={partner}
                done={(_, reply) => done(closedText(reply as { readonly days: History['days'] }))}
                isPlain
              />
            )}
          </div>
        )}
      </div>
      <Toast text={toast} />
      <Facts columns={FACTS} item={partner} />
      <Exceptions exceptions={exceptions} />
      <Rows
        title="Closed days"
        rows={history.body?.days}
        problem={history.problem}
        empty="No day is closed yet."
        columns={DAYS}
      />
      <Rows
        title="Imported statements"
        rows={history.body?.files}
        empty="No statements imported yet."
        columns={FILES}
      />
    </div>
  )
}

const FACTS: readonly Column<Partner>[] = [
  { title: 'Last statement day', value: ({ statementUpTo }) => statementUpTo, kind: 'day' },
  { title: 'Bank balance that day', value: ({ bank }) => bank, kind: 'naira' },
  { title: 'Ledger balance that day', value: ({ books }) => books, kind: 'naira' },
  { title: 'Unexplained difference', value: ({ unexplained }) => unexplained, kind: 'naira' },
  { title: 'Last closed day', value: ({ closedThrough }) => closedThrough, kind: 'day' },
  {
    title: 'Next day to close',
    value: ({ next }) => (next === null ? 'None: a day can be closed an hour after its end' : nextText(next)),
  },
]

const nextText = ({ day, problem }: NonNullable<Partner['next']>): string =>
  `${dayText(day)}: ${(problem ?? 'ready to close').replaceAll(/\d{4}-\d\d-\d\d/g, dayText)}`

const DAYS: readonly Column<History['days'][number]>[] = [
  { title: 'Day', value: ({ day }) => day, kind: 'day' },
  { title: 'Bank balance', value: ({ bank }) => bank, kind: 'naira' },
  { title: 'Ledger balance', value: ({ books }) => books, kind: 'naira' },
  { title: 'Explained differences', value: ({ explained }) => explained, isWide: true },
  { title: 'Lines', value: ({ lines }) => lines, isWide: true },
  { title: 'Closed by', value: ({ closedBy }) => closedBy, isWide: true },
  { title: 'Closed on', value: ({ closedOn }) => closedOn, kind: 'moment', isWide: true },
]

const FILES: readonly Column<History['files'][number]>[] = [
  { title: 'File', value: ({ name }) => name },
  { title: 'Days', value: daysOf },
  { title: 'Lines', value: ({ lines }) => lines, isWide: true },
  { title: 'New lines', value: ({ newLines }) => newLines },
  { title: 'Imported', value: ({ importedOn }) => importedOn, kind: 'moment', isWide: true },
]

function daysOf({ firstDay, lastDay }: Pick<Imported, 'firstDay' | 'lastDay'>): string | null {
  if (firstDay === null || lastDay === null) return null
  return firstDay === lastDay ? dayText(lastDay) : `${dayText(firstDay)} to ${dayText(lastDay)}`
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The result of an import, in words. */
function importText({ isKnown, newLines, tooEarly, matched, exceptions }: Imported): string {
  const open = exceptions === 0 ? 'no exceptions' : counted(exceptions, 'exception to review', 'exceptions to review')
  if (isKnown) return `This file was imported before, so nothing has changed: ${open}.`
  const early =
    tooEarly === 0 ? '' : ` Skipped ${counted(tooEarly, 'line', 'lines')} dated before the first day to reconcile.`
  return `Imported ${counted(newLines, 'new line', 'new lines')}: ${matched.toLocaleString('en')} matched, ${open}.${early}`
}

const closedText = ({ days }: { readonly days: History['days'] }): string =>
  days.length === 1 ? 'Day closed.' : `${days.length} days closed.`

/** Closes the days of a partner up to a given day. */
const closing = (day: string): Action<Partner> => ({
  title: 'Close days',
  text: 'A closed day is final. Every difference between bank and ledger must first be booked or explained.',
  permission: 'operator.manage',
  fields: [{ name: 'through', label: 'Last day to close', kind: 'day', value: day }],
  toast: 'Day closed.',
  run: ({ partner }, { through = '' }) => call(routes.closeDay, { params: { partner }, body: { through } }),
})

/** The same as STATEMENT_UPLOAD_BYTES_MAX of the contract. */
const BYTES_MAX = 1_500_000

interface ImportButtonProps {
  readonly partner: string
  readonly done: (imported: Imported) => void
}

/** A button that opens the upload of a statement. */
function ImportButton({ partner, done }: ImportButtonProps): JSX.Element {
  const [file, setFile] = useState<File>()
  const send = async (close: () => void): Promise<string | undefined> => {
    if (file === undefined) return 'Choose a file.'
    if (file.size > BYTES_MAX) return 'The file is larger than 1.5 MB. Import it with kobo statement import.'
    const content = await base64Of(file)
    if (content === '') return 'The file is empty.'
    const result = await call(routes.importStatement, { params: { partner }, body: { name: file.name, content } })
    if (result.kind !== 'done') return problemOf(result)
    close()
    done(result.body)
    return undefined
  }
  return (
    <DialogButton look="button fit" label="Import statement" title="Import statement">
      {(close) => (
        <Form act={() => send(close)} submit="Import statement" cancel={close}>
          <Labelled
            name="file"
            label="Statement"
            hint="CSV, MT940 or camt, up to 1.5 MB. It is imported whole or not at all; importing it twice changes nothing."
          >
            {(control) => (
              <input
                {...control}
                type="file"
                required
                onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
              />
            )}
          </Labelled>
        </Form>
      )}
    </DialogButton>
  )
}
