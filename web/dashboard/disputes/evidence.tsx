import type { browseDisputes, getDispute, getDisputeFile, InDashboard, submitEvidence } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { call, problemOf } from '../call.ts'
import { type Fields, Form, TextArea } from '../form.tsx'
import type { ItemOf, PartProps } from '../list/spec.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { type Chosen, readFiles } from './files.ts'
import { Said } from './said.tsx'

const GET: Address<InDashboard<typeof getDispute>> = {
  method: 'GET',
  path: '/dashboard/api/v1/disputes/:disputeReference',
}
const SUBMIT: Address<InDashboard<typeof submitEvidence>> = {
  method: 'POST',
  path: '/dashboard/api/v1/disputes/:disputeReference/evidence',
}
const FILE: Address<InDashboard<typeof getDisputeFile>> = {
  method: 'GET',
  path: '/dashboard/api/v1/disputes/:disputeReference/files/:fileId',
}

/** What was said against a dispute, or the form to say it. */
export function Evidence({ item, me, done }: PartProps<ItemOf<typeof browseDisputes>>): JSX.Element | null {
  if (!me.permissions.includes('payer.read')) return null
  return <Answer item={item} mayAnswer={me.permissions.includes('collect.make')} done={done} />
}

interface AnswerProps {
  readonly item: ItemOf<typeof browseDisputes>
  readonly mayAnswer: boolean
  readonly done: (told: string) => void
}

function Answer({ item: { disputeReference, evidenceDueOn }, mayAnswer, done }: AnswerProps): JSX.Element | null {
  const { body, problem, again } = useReply(GET, { params: { disputeReference } })
  const sent = async (): Promise<void> => {
    await again()
    done('Sent. The partner decides.')
  }
  if (body === undefined) return problem === undefined ? null : <p class="notice bad">{problem}</p>
  if (body.evidence !== null)
    return (
      <Said
        title="What you said against it"
        evidence={body.evidence}
        file={(fileId) => call(FILE, { params: { disputeReference, fileId } })}
      />
    )
  if (body.disputeStatus !== 'OPEN' || !mayAnswer) return null
  return <Contest reference={disputeReference} due={evidenceDueOn} done={sent} />
}

interface ContestProps {
  readonly reference: string
  readonly due: string
  readonly done: () => Promise<void>
}

function Contest({ reference, due, done }: ContestProps): JSX.Element {
  const id = useId()
  const [chosen, setChosen] = useState<readonly File[]>([])
  const send = async ({ text = '' }: Fields): Promise<string | undefined> => {
    if (text === '') return 'Say why the payment was right.'
    const read: Chosen = await readFiles(chosen)
    if ('wrong' in read) return read.wrong
    const answer = await call(SUBMIT, {
      params: { disputeReference: reference },
      body: { text, files: read.files },
    })
    if (answer.kind !== 'done') return problemOf(answer)
    await done()
    return undefined
  }
  return (
    <section class="panel stack" aria-labelledby="contest">
      <h2 id="contest">Contest it</h2>
      <p>Once, and before {moment(due)}. The payer’s bank decides; until then the money stays held.</p>
      <Form act={send} submit="Send the evidence">
        <TextArea
          name="text"
          label="Why the payment was right"
          hint="What was bought, delivered and agreed."
          value=""
        />
        <div class="field">
          <label for={id}>Files that prove it</label>
          <input
            id={id}
            type="file"
            multiple
            accept="application/pdf,image/png,image/jpeg"
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => setChosen([...(currentTarget.files ?? [])])}
          />
          <p class="hint" id={`${id}-hint`}>
            At most three: PDF, PNG or JPEG, up to 400 kB each.
          </p>
        </div>
      </Form>
    </section>
  )
}
