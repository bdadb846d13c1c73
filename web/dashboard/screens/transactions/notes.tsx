import type { JSX } from 'preact'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { type Fields, Form, TextArea } from '../../parts/form.tsx'
import { moment } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import type { TimelineData } from './timeline-data.ts'

interface NotesProps {
  readonly data: TimelineData
  readonly mayAdd: boolean
  readonly done: (toast: string) => void
}

/** The team's notes on a transaction, newest first. */
export const Notes = ({ data: { transaction, notes }, mayAdd, done }: NotesProps): JSX.Element | null => {
  if (notes.length === 0 && !mayAdd) return null
  const add = async ({ text = '' }: Fields, close: () => void): Promise<string | undefined> => {
    const { transactionReference } = transaction
    const result = await call(routes.addTransactionNote, { params: { transactionReference }, body: { text } })
    if (result.kind !== 'done') return problemOf(result)
    close()
    done('Note added.')
    return undefined
  }
  return (
    <Panel
      title="Notes"
      actions={
        mayAdd && (
          <DialogButton look="button plain fit" label="Add note" title="Add note">
            {(close) => (
              <Form act={(fields) => add(fields, close)} submit="Add note" cancel={close}>
                <TextArea name="text" label="Note" hint="Only your team sees it." value="" />
              </Form>
            )}
          </DialogButton>
        )
      }
    >
      {notes.length === 0 && <p class="quiet">No notes yet. Only your team sees them.</p>}
      {notes.map(({ at, author, text }, index) => (
        <div key={index}>
          <p class="written">{text}</p>
          <p class="quiet small">
            {author}, {moment(at)}
          </p>
        </div>
      ))}
    </Panel>
  )
}
